// Packs the program into one executable, around an official Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { dist, root } from '../bundle.mjs'

const require = createRequire(import.meta.url)

/** A copy without debugging symbols. Only before the program is put in: afterwards `strip` would break the executable. */
const stripped = (base, copy) => {
  const { error, status } = spawnSync('strip', ['-o', copy, base], { stdio: 'inherit' })
  if (status === 0) return copy
  if (error) console.log('strip (binutils) is not installed: the executable will be 17 MiB larger')
  copyFileSync(base, copy)
  return copy
}

/**
 * MiB of each half of a heap's young part. With 4, what lives from a request to its commit is copied twice as often, and
 * hits take 5 to 7 % longer; with V8's own 16 some 40 MiB more stay resident under load, and hits take as long as with 8.
 */
const youngMiB = 8

/** How Node starts an executable, and its threads. */
export const seaOptions = {
  disableExperimentalSEAWarning: true,
  execArgv: [`--max-semi-space-size=${youngMiB}`],
  execArgvExtension: 'none',
}

/**
 * Packs files into one executable by pkg's SEA mode. Called is the function behind `pkg --sea main.cjs`, since the command
 * line has no way to name a base Node (it would download one), nor assets, nor `execArgvExtension`, which makes
 * the executable ignore NODE_OPTIONS. The other mode of `pkg --sea`, with an archive and a patched `fs`,
 * starts 15 ms later and takes 25 MiB more memory.
 */
const packInto = async (folder, files, base) => {
  const output = join(folder, 'footfall')
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  const assets = Object.fromEntries(
    Object.keys(files)
      .filter(name => name !== 'main.cjs')
      .map(name => [name, join(folder, name)]),
  )
  process.env.TMPDIR = folder
  await require('@yao-pkg/pkg/lib-es5/sea.js').default(join(folder, 'main.cjs'), {
    targets: [{ nodeRange: `node${process.versions.node}`, platform: 'linux', arch: process.arch, output }],
    nodePath: stripped(base, join(folder, 'base')),
    seaConfig: { ...seaOptions, useCodeCache: true, assets },
  })
  return output
}

/** What decides how the executable comes out. */
const recipe = (files, base) => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'packaging/pack.mjs')))
    .update(require('@yao-pkg/pkg/package.json').version)
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
  if (existsSync(executable) && existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(executable))
    return executable
  const folder = mkdtempSync(join(dist, 'pack-'))
  try {
    renameSync(await packInto(folder, files, base), executable)
    writeFileSync(stamp, stampOf(executable))
  } finally {
    rmSync(folder, { recursive: true })
  }
  return executable
}
