// Packs the program into one executable, around an official Node.
import childProcess from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { dist, root } from '../bundle.mjs'
import { strip } from './strip.mjs'

const require = createRequire(import.meta.url)

/**
 * MiB of each half of a heap's young part. With 4, what lives from a request to its commit is copied twice as often, and
 * hits take 5 to 7 % longer; with V8's own 16 some 40 MiB more stay resident under load, and hits take as long as with 8.
 */
const youngMiB = 8

/**
 * MiB at which the old part of a heap is first collected, and by how many percent of what then lived it may grow until the next time.
 * V8 itself waits for more than 100 MiB, and lets what lives treble: an attacker beside honest visitors took the process to 390 MiB in
 * three minutes, of which 37 lived. Each collection takes some 50 ms in small steps; under such a load there is one in ten seconds.
 */
const heapOptions = ['--initial-old-space-size=48', '--heap-growing-percent=30']

/** How Node starts an executable, and its threads. */
export const seaOptions = {
  disableExperimentalSEAWarning: true,
  // Without the first, `kill -USR1` would open Node's debugger, and with it the process, to everybody on the machine.
  execArgv: ['--disable-sigusr1', `--max-semi-space-size=${youngMiB}`, ...heapOptions],
  execArgvExtension: 'none',
}

/** Node starts with random numbers, which decide the order in the code cache; with this seed the cache comes out the same. */
const seed = '--random-seed=1'

/**
 * Packs files into one executable by pkg's SEA mode. Called is the function behind `pkg --sea main.cjs`, since the command
 * line has no way to name a base Node (it would download one), nor assets, nor `execArgvExtension`, which makes
 * the executable ignore NODE_OPTIONS. The other mode of `pkg --sea`, with an archive and a patched `fs`,
 * starts 15 ms later and takes 25 MiB more memory.
 *
 * The same files result in the same bytes in any folder: `main` is the path that Node writes down, seen from the folder that pkg
 * makes in TMPDIR.
 */
const packInto = async (folder, files, base) => {
  const output = join(folder, 'footfall')
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  const assets = Object.fromEntries(
    Object.keys(files)
      .filter(name => name !== 'main.cjs')
      .map(name => [name, join(folder, name)]),
  )
  const stripped = join(folder, 'node')
  writeFileSync(stripped, strip(readFileSync(base)), { mode: 0o755 })
  process.env.TMPDIR = folder
  // pkg has no option for the arguments of the Node that writes the blob; it takes this function when it is loaded.
  // V8 takes a code cache only of a process with the same options.
  const { execFile } = childProcess
  childProcess.execFile = (file, args, done) => execFile(file, [seed, ...heapOptions, ...args], done)
  const { default: sea } = require('@yao-pkg/pkg/lib-es5/sea.js')
  childProcess.execFile = execFile
  await sea(join(folder, 'main.cjs'), {
    targets: [{ nodeRange: `node${process.versions.node}`, platform: 'linux', arch: process.arch, output }],
    nodePath: stripped,
    seaConfig: { ...seaOptions, main: '../main.cjs', useCodeCache: true, assets },
  })
  return output
}

/** What decides how the executable comes out. */
const recipe = (files, base) => {
  const hash = createHash('sha256').update(require('@yao-pkg/pkg/package.json').version)
  for (const name of ['pack.mjs', 'strip.mjs']) hash.update(readFileSync(join(root, 'packaging', name)))
  const { size, mtimeMs } = statSync(base)
  hash.update(`${process.version} ${base} ${size} ${mtimeMs}`)
  for (const [name, bytes] of Object.entries(files)) hash.update(`\n${name} ${bytes.length}\n`).update(bytes)
  return hash.digest('hex')
}

/** Makes dist/footfall, unless the one that is there was made from the same files. */
export const pack = async (files, base) => {
  const executable = join(dist, 'footfall')
  const stamp = join(dist, 'footfall.stamp')
  const stampOf = path => `${recipe(files, base)} ${statSync(path).ino} ${statSync(path).mtimeMs}`
  if (existsSync(executable) && existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(executable)) {
    // Tests take one that is older than the bundle for outdated, and other bundles may have come and gone since.
    const now = new Date()
    utimesSync(executable, now, now)
    writeFileSync(stamp, stampOf(executable))
    return executable
  }
  const folder = mkdtempSync(join(dist, 'pack-'))
  try {
    renameSync(await packInto(folder, files, base), executable)
    writeFileSync(stamp, stampOf(executable))
  } finally {
    rmSync(folder, { recursive: true })
  }
  return executable
}
