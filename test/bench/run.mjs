// The benchmark: each trial in a process of its own, one table on stdout. docs/performance.md explains the figures.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { dist } from '../../build.mjs'
import { chooseCores, describeLoad, describeMachine, pinned } from './machine.mjs'
import { chooseProgram } from './program.mjs'
import { table, verdict } from './table.mjs'
import { trials } from './trials.mjs'

const usage = `npm run bench -- [--quick] [--only WORD]… [--json FILE] [--program FILE]
  --quick         fewer trials, and fewer and shorter rounds: under two minutes
  --only WORD     only trials whose name holds the word: ${trials.map(({ name }) => name).join(', ')}
  --json FILE     also writes all figures, round by round
  --program FILE  measures another executable, or a bundle, instead of dist/footfall`

const full = { rounds: 5, seconds: 3, warm: 1, starts: 10, views: 50_000, importViews: 100_000, yearViews: 1_000_000, yearOrders: 1_000_000 }
const quick = { rounds: 3, seconds: 1, warm: 0.5, starts: 5, views: 10_000, importViews: 100_000, yearViews: 100_000, yearOrders: 20_000 }

const script = fileURLToPath(new URL('trial.mjs', import.meta.url))

/** What a trial's process printed; an Error if it failed. */
const runTrial = ({ name }, context) => new Promise(resolve => {
  const [file, ...args] = pinned(context.cores?.generator, [process.execPath, script, name, JSON.stringify(context)])
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => { stdout += text })
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
    process.stderr.write(text)
  })
  child.on('close', code => resolve(code === 0 ? JSON.parse(stdout) : new Error(stderr.match(/^\w*Error: (.+)$/m)?.[1] ?? `the trial ended with ${code}`)))
})

const rowsOf = ({ name, figures }, measured) => Object.entries(figures).map(([key, about]) => {
  const figure = measured instanceof Error ? { failed: measured.message } : measured[key] ?? { failed: 'not measured' }
  return { trial: name, key, ...about, ...figure, met: verdict(figure, about.goal) }
})

const runAll = async (chosen, context) => {
  const rows = []
  for (const trial of chosen) {
    console.error(trial.name)
    rows.push(...rowsOf(trial, await runTrial(trial, context)))
  }
  return rows
}

const print = (machine, notes, rows) => {
  const remarks = rows.filter(row => row.note !== undefined).map(row => `${row.figure}: ${row.note}`)
  console.log(`${table(rows)}\n\n${machine}.\n`)
  for (const note of [...notes, ...remarks]) console.log(`- ${note}`)
}

const main = async () => {
  const { values } = parseArgs({ options: {
    quick: { type: 'boolean', default: false }, only: { type: 'string', multiple: true }, json: { type: 'string' },
    program: { type: 'string' }, help: { type: 'boolean', default: false },
  } })
  const chosen = trials.filter(({ name, slow = false }) => values.only?.some(word => name.includes(word)) ?? !(values.quick && slow))
  if (values.help || chosen.length === 0) return console.log(usage)
  // Not in /tmp, which is often memory: a sync to memory costs nothing and proves nothing.
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, 'bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

  const { cores, note: coresNote } = chooseCores()
  const { program, notes: programNotes } = chooseProgram(values.program)
  const plan = values.quick ? quick : full
  const [machine, loadNote] = [describeMachine(folder), describeLoad()]
  const rows = await runAll(chosen, { ...plan, cores, program, folder })
  const notes = [coresNote, loadNote, ...programNotes, values.quick ? 'a quick run: fewer and shorter rounds than the figures in docs/performance.md' : null].filter(note => note !== null)
  print(machine, notes, rows)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, plan, notes, rows }, null, 2)}\n`)
}

await main()
