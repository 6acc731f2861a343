// Runs every test file (test/**/*.test.ts) in a process of its own and ends with the line `N passed, N failed, N skipped`.
// `npm run test:only -- WORD …` runs the files whose path holds one of the words, and none whose path holds one of those with a hyphen
// in front. SKIPS=refuse takes a skipped test for a failed one, BAIL=1 begins with the shortest and starts no file after the
// first that failed, TIMES=1 shows what each file took and measured, TIMES=update keeps it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from '../bundle.mjs'
import { bundled, bundleTests } from './support/bundle.mjs'
import { isInstalled, programs } from './support/programs.mjs'

const words = process.argv.slice(2).filter(word => !word.startsWith('-'))
const without = process.argv.slice(2).flatMap(word => (word.startsWith('-') ? [word.slice(1)] : []))
const files = globSync('test/**/*.test.ts', { cwd: root })
  .sort()
  .filter(file => words.length === 0 || words.some(word => file.includes(word)))
  .filter(file => !without.some(word => file.includes(word)))
if (files.length === 0) {
  console.error(`no test file matches ${process.argv.slice(2).join(', ')}`)
  process.exit(2)
}
/** Programs that tests start as processes of their own, and the browser of all files. */
const [migration, chromium] = ['test/drill/migrate-child.ts', 'test/browser/server.ts']
const out = await bundleTests([...files, migration, chromium])
/** Node's compile cache: saves a third of the time of a short command, and of what each test file loads. */
const compiled = join(out, 'compiled')

/** Starts one browser for all files that need one; a file alone starts its own, see test/browser/chromium.ts. */
const startBrowser = async () => {
  const inBrowser = files.filter(file => readFileSync(join(root, file), 'utf8').includes("'chromium'"))
  if (inBrowser.length < 2 || !isInstalled('chromium')) return { endpoint: '', close: () => {} }
  const server = spawn(process.execPath, [bundled(out, chromium)], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  const [endpoint] = await once(server.stdout.setEncoding('utf8'), 'data')
  return {
    endpoint: endpoint.trim(),
    close: () => {
      server.stdin.end()
      return once(server, 'close')
    },
  }
}
const browser = await startBrowser()

/** Milliseconds a file may take. It only ends what would hang. */
const limit = 30 * 60_000
const count = (text, label) => Number(text.match(new RegExp(`${label}:\\s+(\\d+)`))?.[1] ?? 0)

/** As test/support/needs.ts prints them. */
const skipsIn = text =>
  [...text.matchAll(/^SKIPPED (.+) \(needs ([^()]+)\)$/gm)].map(([, name, needs]) => ({
    name,
    needs: needs.split(', '),
  }))

/** Counts of a file's output; a file that crashes, hangs, runs no test or skips one without a reason counts as one failure. */
const judge = (text, code) => {
  const passed = count(text, 'Passed')
  const failed = count(text, 'Total') - passed
  const skips = skipsIn(text)
  const isBroken =
    failed === 0 && (code !== 0 || passed + skips.length === 0 || count(text, 'Skipped') !== skips.length)
  return { passed, failed: isBroken ? 1 : failed, skips }
}

/** One file's result; `cpu` holds its seconds with those of the programs that it waited for, by test/support/cpu-time.mjs. */
const runFile = file =>
  new Promise(resolve => {
    const started = performance.now()
    const flags = ['--enable-source-maps', '--import', join(root, 'test/support/cpu-time.mjs')]
    const child = spawn(process.execPath, [...flags, bundled(out, file)], {
      cwd: root,
      env: {
        ...process.env,
        FORCE_COLOR: '0',
        TZ: 'UTC',
        BROWSER_ENDPOINT: browser.endpoint,
        NODE_COMPILE_CACHE: compiled,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), limit)
    const [text, cpu] = [[child.stdout, child.stderr], [child.stdio[3]]].map(streams => {
      const chunks = []
      for (const stream of streams) stream.setEncoding('utf8').on('data', chunk => chunks.push(chunk))
      return () => chunks.join('')
    })
    child.on('close', code => {
      clearTimeout(timer)
      const seconds = (performance.now() - started) / 1000
      resolve({ file, text: text(), seconds, cpu: Number(cpu()) || 0, ...judge(text(), code) })
    })
  })

/** Seconds that each file takes, made by a whole run with TIMES=update. */
const kept = join(root, 'test/durations.json')
const durations = JSON.parse(readFileSync(kept, 'utf8'))

/** The longest first, so that none of them runs alone at the end; new files before all. To fail soon, the other way round. */
const queue = files.toSorted(
  (one, other) =>
    (durations[other] ?? Number.MAX_SAFE_INTEGER) - (durations[one] ?? Number.MAX_SAFE_INTEGER) ||
    (one < other ? -1 : 1),
)
if (process.env.BAIL) queue.reverse()
const workers = 2 * availableParallelism()
const results = []
const work = async () => {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const result = await runFile(file)
    results.push(result)
    const mark = result.failed > 0 ? 'FAILED' : 'ok'
    const skipped = result.skips.length > 0 ? `, ${result.skips.length} skipped` : ''
    console.log(`${mark.padEnd(6)} ${file} (${result.passed} passed${skipped}, ${result.seconds.toFixed(1)} s)`)
    if (result.failed > 0) console.log(result.text)
    if (result.failed > 0 && process.env.BAIL) queue.length = 0
    else if (process.env.TIMES) for (const [line] of result.text.matchAll(/^MEASURED .+/gm)) console.log(line)
    for (const { name, needs } of result.failed > 0 ? [] : result.skips)
      console.log(`SKIPPED ${name} (needs ${needs.join(', ')})`)
  }
}
await Promise.all(Array.from({ length: workers }, work))
await browser.close()

if (process.env.TIMES)
  for (const { file, seconds, cpu } of results.toSorted((one, other) => other.cpu - one.cpu))
    console.log(`${cpu.toFixed(1).padStart(6)} s of the processor, ${seconds.toFixed(1).padStart(6)} s in all: ${file}`)
if (process.env.TIMES === 'update' && process.argv.length === 2) {
  const taken = results.map(({ file, seconds }) => [file, Math.round(seconds)])
  writeFileSync(kept, `${JSON.stringify(Object.fromEntries(taken.sort()), null, 2)}\n`)
}

// Again at the end, where they are seen.
for (const { file, text, failed } of results) {
  if (failed === 0) continue
  const names = [...text.matchAll(/^ *FAIL {2}(.+)/gm)].map(([, name]) => name)
  console.log(`FAILED ${file}: ${names.join(', ') || 'ended before its last test'}`)
}
const skips = results.flatMap(({ file, skips }) => skips.map(skip => ({ file, ...skip })))
const wants = new Map()
for (const { needs } of skips) for (const name of needs) wants.set(name, (wants.get(name) ?? 0) + 1)
for (const [name, tests] of wants)
  console.log(`${tests} ${tests === 1 ? 'test was' : 'tests were'} skipped for want of ${name}`)
if (programs.some(name => wants.has(name)))
  console.log('On Debian, `npm run test:setup` installs the programs among these.')

const refused = process.env.SKIPS === 'refuse' ? skips : []
for (const { file, name } of refused) console.log(`FAILED ${file}: ${name} was skipped`)
const sum = key => results.reduce((total, result) => total + result[key], 0)
const failed = sum('failed') + refused.length
console.log(`${sum('passed')} passed, ${failed} failed, ${skips.length - refused.length} skipped`)
process.exit(failed > 0 ? 1 : 0)
