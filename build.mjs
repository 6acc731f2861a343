// Bundles Footfall. `node build.mjs` makes dist/footfall, one executable;
// `node build.mjs --bundle` only what `node dist/main.cjs` needs.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { join, dirname } from 'node:path'

export const root = dirname(fileURLToPath(import.meta.url))
export const dist = join(root, 'dist')

/** Makes `import text from 'browser:tracker'` the minified text of src/tracker/tracker.ts. */
const browserScripts = {
  name: 'browser-scripts',
  setup(builder) {
    builder.onResolve({ filter: /^browser:/ }, ({ path }) => ({ path: path.slice('browser:'.length), namespace: 'browser' }))
    builder.onLoad({ filter: /.*/, namespace: 'browser' }, async ({ path: name }) => {
      const entry = join(root, 'src', name, `${name}.ts`)
      const result = await build({
        entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife', target: 'es2020', charset: 'utf8', metafile: true,
      })
      return { contents: result.outputFiles[0].text, loader: 'text', watchFiles: Object.keys(result.metafile.inputs).map(file => join(root, file)) }
    })
  },
}

/** Bundles entry points for Node into one CommonJS file each. */
export const bundle = (entryPoints, outdir, extra = {}) => build({
  entryPoints,
  outdir,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  loader: { '.sql': 'text', '.txt': 'text', '.html': 'text', '.css': 'text' },
  plugins: [browserScripts],
  logLevel: 'warning',
  ...extra,
})

/** Bundles the service and its reader thread into dist/. */
export const bundleService = () => bundle(
  { main: join(root, 'src/main.ts'), reader: join(root, 'src/reports/reader.ts') }, dist,
  { minify: true, keepNames: true, legalComments: 'none' },
)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleService()
}
