// Builds Footfall. `node build.mjs` makes dist/footfall, one executable;
// `node build.mjs --bundle` only what `node dist/main.cjs` needs.
import { build } from 'esbuild'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gatherFlags } from './src/dashboard/parts/flags.mjs'
import { drawWorld } from './src/dashboard/parts/world.mjs'
import { thirdParty } from './third-party.mjs'
import { packWordPress } from './wordpress.mjs'

const require = createRequire(import.meta.url)
export const root = dirname(fileURLToPath(import.meta.url))
export const dist = join(root, 'dist')
const platform = `${process.platform}-${process.arch}`

/** SQLite's library for a platform such as linux-arm64. */
export const addonFor = platform =>
  readFileSync(require.resolve('better-sqlite3/package.json').replace('package.json', `prebuilds/${platform}.node`))

/** Entry point of a browser script or style sheet by its name: `tracker`, `dashboard`, `dashboard.css`. */
const browserEntry = name =>
  ['', '.ts', '.tsx']
    .map(ending => join(root, 'src', name.replace(/\..*/, ''), `${name}${ending}`))
    .find(path => existsSync(path))

/** Files that the bundles for browsers were made of. */
const browserInputs = new Set()

/**
 * Makes `import text from 'browser:tracker'` the minified text of src/tracker/tracker.ts, `browser:dashboard.css` that of
 * a style sheet, `browser:world` the map that src/dashboard/parts/world.mjs draws, and `browser:flags` what
 * src/dashboard/parts/flags.mjs gathers.
 */
const browserScripts = {
  name: 'browser-scripts',
  setup(builder) {
    builder.onResolve({ filter: /^browser:/ }, ({ path }) => ({
      path: path.slice('browser:'.length),
      namespace: 'browser',
    }))
    builder.onLoad({ filter: /^world$/, namespace: 'browser' }, () => ({ contents: drawWorld(), loader: 'text' }))
    builder.onLoad({ filter: /^flags$/, namespace: 'browser' }, () => ({ contents: gatherFlags(), loader: 'text' }))
    builder.onLoad({ filter: /.*/, namespace: 'browser' }, async ({ path: name }) => {
      const result = await build({
        entryPoints: [browserEntry(name)],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: 'es2020',
        charset: 'utf8',
        metafile: true,
        legalComments: 'none',
      })
      const inputs = Object.keys(result.metafile.inputs).map(file => join(root, file))
      for (const file of inputs) browserInputs.add(file)
      return { contents: result.outputFiles[0].text, loader: 'text', watchFiles: inputs }
    })
  },
}

/** Bundles entry points for Node into one CommonJS file each. */
export const bundle = (entryPoints, outdir, extra = {}) =>
  build({
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    loader: { '.sql': 'text', '.txt': 'text', '.ndjson': 'text', '.html': 'text', '.css': 'text' },
    plugins: [browserScripts],
    logLevel: 'warning',
    ...extra,
  })

/** Writes a file of dist/ in one step, and not at all when nothing changed: other builds and programs may be reading it. */
const place = (name, bytes) => {
  const path = join(dist, name)
  if (existsSync(path) && readFileSync(path).equals(bytes)) return
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, bytes)
  renameSync(draft, path)
}

/** One character beyond ASCII, in a comment say, and V8 would keep the whole text with two bytes a character. */
const plain = text =>
  text.replace(/[^\0-\x7f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Bundles the service and its threads into dist/ and lays the files beside them that src/runtime/assets.ts gives out.
 * They are not minified: the code cache makes size irrelevant to the start, and stack traces stay readable.
 * Gives the contents by name.
 */
export const bundleService = async () => {
  const entries = {
    main: join(root, 'src/main.ts'),
    reader: join(root, 'src/reports/reader.ts'),
    maintenance: join(root, 'src/maintenance/worker.ts'),
    inspector: join(root, 'src/checks/diagnostics/worker.ts'),
  }
  const options = { write: false, metafile: true, legalComments: 'none', supported: { 'dynamic-import': false } }
  const { outputFiles, metafile } = await bundle(entries, dist, options)
  const files = {
    ...Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), Buffer.from(plain(text))])),
    'better_sqlite3.node': addonFor(platform),
    'THIRD_PARTY.md': Buffer.from(
      thirdParty([...Object.keys(metafile.inputs).map(file => join(root, file)), ...browserInputs]),
    ),
    'country.mmdb': readFileSync(
      require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
    ),
  }
  files['footfall-wordpress.zip'] = await packWordPress()
  mkdirSync(dist, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) place(name, bytes)
  return files
}

/** The Node that becomes the executable: an official build, from a package that the lock file pins, or BASE_NODE. */
const baseNode = () => {
  if (process.env.BASE_NODE) return realpathSync(process.env.BASE_NODE)
  try {
    return realpathSync(require.resolve(`node-${platform}/bin/node`))
  } catch {
    return undefined
  }
}

/** A copy without debugging symbols. Only before the program is put in: afterwards `strip` would break the executable. */
const stripped = (base, copy) => {
  if (process.platform === 'linux') {
    const { error, status } = spawnSync('strip', ['-o', copy, base], { stdio: 'inherit' })
    if (status === 0) return copy
    if (error) console.log('strip (binutils) is not installed: the executable will be 17 MiB larger')
  }
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
  const system = { darwin: 'macos', win32: 'win' }[process.platform] ?? process.platform
  process.env.TMPDIR = folder
  await require('@yao-pkg/pkg/lib-es5/sea.js').default(join(folder, 'main.cjs'), {
    targets: [{ nodeRange: `node${process.versions.node}`, platform: system, arch: process.arch, output }],
    nodePath: stripped(base, join(folder, 'base')),
    signature: true,
    seaConfig: { ...seaOptions, useCodeCache: true, assets },
  })
  return output
}

/** What decides how the executable comes out. */
const recipe = (files, base) => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'build.mjs')))
    .update(require('@yao-pkg/pkg/package.json').version)
  const { size, mtimeMs } = statSync(base)
  hash.update(`${process.version} ${base} ${size} ${mtimeMs}`)
  for (const [name, bytes] of Object.entries(files)) hash.update(`\n${name} ${bytes.length}\n`).update(bytes)
  return hash.digest('hex')
}

/** Makes dist/footfall, unless the one that is there was made from the same files. */
const pack = async (files, base) => {
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

const main = async () => {
  const base = baseNode()
  if (base !== undefined && base !== realpathSync(process.execPath)) {
    return spawnSync(base, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1
  }
  const files = await bundleService()
  if (process.argv.includes('--bundle')) return 0
  if (base === undefined) {
    console.error(
      `There is no Node to pack for ${platform}. Run "npm ci", or set BASE_NODE to the path of an official Node 24.`,
    )
    return 1
  }
  const executable = await pack(files, base)
  console.log(`${executable}: ${(statSync(executable).size / 2 ** 20).toFixed(1)} MiB, Node ${process.versions.node}`)
  return 0
}

/** esbuild has already printed what it found, with the lines of source. */
const fail = error => {
  if (!Array.isArray(error.errors)) console.error(`The build failed: ${error.message}`)
  return 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main().catch(fail)
