// The benchmark: runs each trial in its own process and prints one table. docs/performance.md explains the figures.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { dist, root } from '../../bundle.mjs'
import { chooseCores, describeLoad, describeMachine, pinned } from './machine.mjs'
import { chooseProgram } from './program.mjs'
import { withFigures } from './summary.mjs'
import { table, verdict } from './table.mjs'
import { trials } from './trials.mjs'
import { yearIsCached } from './year.mjs'

const usage = `npm run bench -- [--quick] [--only WORD]… [--views NUMBER] [--growth] [--json FILE] [--program FILE]
  --quick         fewer trials, and fewer and shorter rounds: under two minutes
  --views NUMBER  views of the year: 1,000,000, or 10,000,000 once that file is in .bench/; --quick: 100,000
  --growth        also the same figures at 1, 3 and 10 M views; makes these files in .bench/ the first time
  --only WORD     only trials whose name holds the word: ${trials.map(({ name }) => name).join(', ')}
  --table FILE    where the table is written; a full run writes docs/benchmark.md by itself
  --json FILE     also writes all figures, round by round
  --program FILE  measures another executable, or a bundle, instead of dist/footfall`

const maxYearViews = 10_000_000
const full = {
  rounds: 5,
  seconds: 3,
  warm: 1,
  reportSeconds: 0.75,
  reportWarm: 0.25,
  reportAnswers: 5,
  starts: 10,
  views: 50_000,
  ids: 1_000_000,
  importViews: 100_000,
  movingRows: 200_000,
  yearViews: 1_000_000,
  growthViews: [1_000_000, 3_000_000, maxYearViews],
  yearOrders: 1_000_000,
}
const quick = {
  rounds: 3,
  seconds: 1,
  warm: 0.5,
  reportSeconds: 0.1,
  reportWarm: 0.05,
  reportAnswers: 2,
  starts: 5,
  views: 10_000,
  ids: 50_000,
  importViews: 30_000,
  movingRows: 30_000,
  yearViews: 100_000,
  growthViews: [50_000, 100_000],
  yearOrders: 20_000,
}

/** The year has as many views as requested; by default, the largest cached one is used. */
const planOf = ({ quick: isQuick, views }) => {
  if (views !== undefined && !(Number(views) >= 1000))
    throw new Error(`--views takes a number of 1000 or more, not ${views}.`)
  const plan = isQuick ? quick : full
  if (views !== undefined) return { ...plan, yearViews: Math.round(Number(views)) }
  return !isQuick && yearIsCached(maxYearViews) ? { ...plan, yearViews: maxYearViews } : plan
}

const yearNote = ({ yearViews }) =>
  `the year has ${yearViews.toLocaleString('en-US')} views${yearViews === maxYearViews ? '' : ': goals at 10 M views are neither met nor missed (--views 10000000, or --growth)'}`

const script = fileURLToPath(new URL('trial.mjs', import.meta.url))

/** Resolves with the measurements of a trial's process, or with an Error if it failed. */
const runTrial = ({ name }, context) =>
  new Promise(resolve => {
    const [file, ...args] = pinned(context.cores?.generator, [process.execPath, script, name, JSON.stringify(context)])
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text
      process.stderr.write(text)
    })
    child.on('close', code =>
      resolve(
        code === 0
          ? JSON.parse(stdout)
          : new Error(stderr.match(/^\w*Error: (.+)$/m)?.[1] ?? `the trial ended with ${code}`),
      ),
    )
  })

const figuresOf = ({ figures }, context) => (typeof figures === 'function' ? figures(context) : figures)

const rowsOf = (trial, measured, context) =>
  Object.entries(figuresOf(trial, context)).map(([key, about]) => {
    const figure =
      measured instanceof Error ? { failed: measured.message } : (measured[key] ?? { failed: 'not measured' })
    return { trial: trial.name, key, ...about, ...figure, met: verdict(figure, about.goal) }
  })

const runAll = async (chosen, context) => {
  const rows = []
  for (const trial of chosen) {
    console.error(trial.name)
    rows.push(...rowsOf(trial, await runTrial(trial, context), context))
  }
  return rows
}

/** The table with machine and notes, as Markdown. */
const report = (machine, notes, rows) => {
  const remarks = rows.filter(row => row.note !== undefined).map(row => `${row.figure}: ${row.note}`)
  return [`${table(rows)}\n\n${machine}.\n`, ...[...notes, ...remarks].map(note => `- ${note}`)].join('\n')
}

/** The file of the table: a full run replaces the one in docs/. */
const tableFile = ({ table: named, quick: isQuick, only }) =>
  named ?? (isQuick || only !== undefined ? undefined : join(root, 'docs/benchmark.md'))

const writeTable = (file, text) => {
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(
    file,
    `# Benchmark, ${day}\n\nWritten by \`npm run bench\`; [performance.md](performance.md) explains it.\n\n${text}\n`,
  )
  console.error(`the table is in ${file}`)
  if (file !== join(root, 'docs/benchmark.md')) return
  const shown = join(root, 'docs/performance.md')
  writeFileSync(shown, withFigures(readFileSync(shown, 'utf8'), text))
}

const main = async () => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
      table: { type: 'string' },
      views: { type: 'string' },
      growth: { type: 'boolean', default: false },
      program: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const chosen = trials.filter(
    ({ name, slow = false, onDemand = false }) =>
      (onDemand && values.growth) ||
      (values.only?.some(word => name.includes(word)) ?? !(onDemand || (values.quick && slow))),
  )
  if (values.help || chosen.length === 0) return console.log(usage)
  // Not in /tmp, which is often a tmpfs, where fdatasync costs nothing.
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, 'bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

  const { cores, note: coresNote } = chooseCores()
  const { program, notes: programNotes } = chooseProgram(values.program)
  const plan = planOf(values)
  const [machine, loadNote] = [describeMachine(folder), describeLoad()]
  const rows = await runAll(chosen, { ...plan, cores, program, folder })
  const notes = [
    coresNote,
    loadNote,
    ...programNotes,
    yearNote(plan),
    values.quick ? 'a quick run: fewer and shorter rounds than the figures in docs/performance.md' : null,
  ].filter(note => note !== null)
  const text = report(machine, notes, rows)
  console.log(text)
  const file = tableFile(values)
  if (file !== undefined) writeTable(file, text)
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ machine, plan, notes, rows }, null, 2)}\n`)
}

await main()
