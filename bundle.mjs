// Makes the service's JavaScript and the files beside it, in dist/.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { packNetworks } from './src/bots/pack-networks.mjs'
import { gatherFlags } from './src/dashboard/parts/flags.mjs'
import { parseTexts } from './src/dashboard/parts/texts.mjs'
import { drawWorld } from './src/dashboard/parts/world.mjs'
import { bundleTracker } from './src/tracker/minify.mjs'
import { thirdParty } from './third-party.mjs'
import { packWordPress } from './wordpress.mjs'

const require = createRequire(import.meta.url)
export const root = dirname(fileURLToPath(import.meta.url))
export const dist = join(root, 'dist')

/** SQLite's library for a platform such as linux-arm64. */
export const addonFor = platform =>
  readFileSync(require.resolve('better-sqlite3/package.json').replace('package.json', `prebuilds/${platform}.node`))

/** Entry point of a browser script or style sheet by its name: `tracker`, `tracker.core`, `dashboard`, `dashboard.css`. */
const browserEntry = name =>
  ['', '.ts', '.tsx']
    .map(ending => join(root, 'src', name.replace(/\..*/, ''), `${name}${ending}`))
    .find(path => existsSync(path))

/** Bundles and minifies a script or style sheet of a browser by the name of its entry point, in memory. */
export const bundleBrowser = async (name, plugins = []) => {
  const entry = browserEntry(name)
  if (name.startsWith('tracker')) return bundleTracker(entry, { plugins })
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    metafile: true,
    legalComments: 'none',
    alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' },
    plugins,
  })
  return { text: outputFiles[0].text, metafile }
}

/** Files that the bundles for browsers were made of. */
const browserInputs = new Set()

/**
 * Makes `import text from 'browser:tracker'` the minified text of src/tracker/tracker.ts, `browser:dashboard.css` that of
 * a style sheet, `browser:world` the map that src/dashboard/parts/world.mjs draws, `browser:flags` what
 * src/dashboard/parts/flags.mjs gathers, and `browser:texts-de` the texts of a language, parsed.
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
    builder.onLoad({ filter: /^texts-/, namespace: 'browser' }, ({ path }) => ({
      contents: parseTexts(path.slice('texts-'.length)),
      loader: 'text',
    }))
    builder.onLoad({ filter: /.*/, namespace: 'browser' }, async ({ path: name }) => {
      const { text, metafile } = await bundleBrowser(name)
      const inputs = Object.keys(metafile.inputs).map(file => join(root, file))
      for (const file of inputs) browserInputs.add(file)
      return { contents: text, loader: 'text', watchFiles: inputs }
    })
  },
}

/** Bundles entry points for Node into one CommonJS file each. */
export const bundle = (entryPoints, outdir, extra = {}) =>
  build({
    entryPoints,
    outdir,
    // Comments of a bundle name its files as seen from here.
    absWorkingDir: root,
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
    importer: join(root, 'src/import/live/worker.ts'),
    inspector: join(root, 'src/checks/diagnostics/worker.ts'),
    copier: join(root, 'src/database/copier.ts'),
  }
  const options = { write: false, metafile: true, legalComments: 'none', supported: { 'dynamic-import': false } }
  const { outputFiles, metafile } = await bundle(entries, dist, options)
  const files = {
    ...Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), Buffer.from(plain(text))])),
    'better_sqlite3.node': addonFor(`linux-${process.arch}`),
    'THIRD_PARTY.md': Buffer.from(
      thirdParty([...Object.keys(metafile.inputs).map(file => join(root, file)), ...browserInputs]),
    ),
    'country.mmdb': readFileSync(
      require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
    ),
    'server-networks.bin': packNetworks(readFileSync(join(root, 'data/server-networks.txt'), 'utf8')),
  }
  files['footfall-wordpress.zip'] = await packWordPress()
  mkdirSync(dist, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) place(name, bytes)
  return files
}
