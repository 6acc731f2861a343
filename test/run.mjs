// Runs every test file (test/**/*.test.ts) in a process of its own and ends with the line `N passed, N failed`.
// `npm test -- WORD …` runs the files whose path holds one of the words.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { root } from '../bundle.mjs'
import { bundled, bundleTests } from './support/bundle.mjs'

const words = process.argv.slice(2)
const files = globSync('test/**/*.test.ts', { cwd: root })
  .sort()
  .filter(file => words.length === 0 || words.some(word => file.includes(word)))
if (files.length === 0) {
  console.error(`no test file matches ${words.join(', ')}`)
  process.exit(2)
}
/** Programs that tests start as processes of their own. */
const children = ['test/drill/migrate-child.ts']
const out = await bundleTests([...files, ...children])

/** Milliseconds a file may take. It only ends what would hang. */
const limit = 30 * 60_000
const count = (text, label) => Number(text.match(new RegExp(`${label}:\\s+(\\d+)`))?.[1] ?? 0)

/** One file's result; a file that crashes, hangs or runs no test counts as one failure. */
const runFile = file =>
  new Promise(resolve => {
    const started = performance.now()
    const child = spawn(process.execPath, ['--enable-source-maps', bundled(out, file)], {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: '0', TZ: 'UTC' },
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), limit)
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
    })
    child.stderr.on('data', chunk => {
      text += chunk
    })
    child.on('close', code => {
      clearTimeout(timer)
      const passed = count(text, 'Passed')
      const failed = count(text, 'Total') - passed
      const broken = failed === 0 && (code !== 0 || passed === 0)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      resolve({ file, text, seconds, passed, failed: broken ? 1 : failed })
    })
  })

/** Models and properties of the figures find most mistakes, so they run first. */
const strongest =
  /collection\/(model|visits|durability)|rollup\/|reports\/contract|shop\/property|archive\/archive|hostile\/values/
/** The slowest follow, so that none of them runs alone at the end. */
const slow =
  /drill|browser\/(dashboard|main|injection)|wordpress\/|archive|licensed|demo|storage|import\/import|backfill-service/

const rank = file => (strongest.test(file) ? 0 : slow.test(file) ? 1 : 2)

/** Tests wait for disks, clocks and browsers about half of the time. */
const workers = availableParallelism() < 2 ? 1 : 3

const queue = files.toSorted((one, other) => rank(one) - rank(other))
const results = []
const work = async () => {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const result = await runFile(file)
    results.push(result)
    const mark = result.failed > 0 ? 'FAILED' : 'ok'
    console.log(`${mark.padEnd(6)} ${file} (${result.passed} passed, ${result.seconds} s)`)
    if (result.failed > 0) console.log(result.text)
  }
}
await Promise.all(Array.from({ length: workers }, work))

// Again at the end, where they are seen.
for (const { file, text, failed } of results) {
  if (failed === 0) continue
  const names = [...text.matchAll(/^ *FAIL {2}(.+)/gm)].map(([, name]) => name)
  console.log(`FAILED ${file}: ${names.join(', ') || 'ended before its last test'}`)
}
const sum = key => results.reduce((total, result) => total + result[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(sum('failed') > 0 ? 1 : 0)
