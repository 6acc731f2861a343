// Builds Footfall. `node build.mjs` makes dist/footfall, one executable;
// `node build.mjs --bundle` only what `node dist/main.cjs` needs.
// Any Node can read this file: what it needs in turn is loaded when the machine is known to be the right one.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')

/** The version of the Node that npm runs on; below node_modules/.bin, which npm puts first, there is another. */
const hostNode = () => {
  const [, version] = /\bnode\/(v\S+)/.exec(process.env.npm_config_user_agent || '') || []
  return version || process.version
}

const isGlibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined

/** Why this machine cannot build Footfall, and what to do; undefined if it can. */
const obstacle = () => {
  const elsewhere =
    'Use Debian, Ubuntu, Fedora or the like, or build a container: docker build -f packaging/Dockerfile .'
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    return `Footfall needs Linux on x64 or arm64; this is ${process.platform} on ${process.arch}. ${elsewhere}`
  if (!isGlibc()) return `Footfall needs a Linux with glibc, and this one (Alpine?) has another C library. ${elsewhere}`
  if (Number.parseInt(hostNode().slice(1), 10) < 20)
    return `Footfall needs Node.js 20 or newer; this is ${hostNode()}. Install one (https://nodejs.org/), then run: npm ci`
  if (!existsSync(join(modules, 'esbuild'))) return 'The packages that Footfall is built with are missing. Run: npm ci'
  return undefined
}

/** The Node that becomes the executable: an official build, from a package that the lock file pins, or BASE_NODE. */
const baseNode = () => {
  const path = process.env.BASE_NODE || join(modules, `node-linux-${process.arch}/bin/node`)
  return process.env.BASE_NODE || existsSync(path) ? realpathSync(path) : undefined
}

const main = async () => {
  const reason = obstacle()
  if (reason !== undefined) {
    console.error(reason)
    return 1
  }
  const base = baseNode()
  if (base !== undefined && base !== realpathSync(process.execPath))
    return spawnSync(base, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1
  const files = await (await import('./bundle.mjs')).bundleService()
  if (process.argv.includes('--bundle')) return 0
  if (base === undefined) {
    console.error(
      `There is no Node to pack for linux-${process.arch}. Run "npm ci", or set BASE_NODE to the path of an official Node 24.`,
    )
    return 1
  }
  const executable = await (await import('./packaging/pack.mjs')).pack(files, base)
  console.log(`${executable}: ${(statSync(executable).size / 2 ** 20).toFixed(1)} MiB, Node ${process.versions.node}`)
  return 0
}

/** esbuild has already printed what it found, with the lines of source. */
const fail = error => {
  if (!Array.isArray(error.errors)) console.error(`The build failed: ${error.message}`)
  return 1
}

process.exitCode = await main().catch(fail)
