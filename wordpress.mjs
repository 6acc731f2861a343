// Packs the WordPress plugin of wordpress/footfall: with the tracker, its translations compiled, as one zip file.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { strToU8, zipSync } from 'fflate'
import { bundleTracker } from './src/tracker/minify.mjs'
import { compileTranslations } from './wordpress-translations.mjs'

const root = dirname(fileURLToPath(import.meta.url))
const folder = join(root, 'wordpress')

/** The date of all files in the zip, so that the same files give the same bytes. A zip has local times. */
const date = new Date(2026, 0, 1, 12)

const bundled = async options => (await build({ bundle: true, write: false, ...options })).outputFiles[0].text

/** What the tracker reads of a query, by the service's own default of --keep-query. */
const usualQuery = async () => {
  const contents = `
    import { readQuery } from './src/collection/ingest/page.ts'
    import { siteOptions } from './src/config/site-options.ts'
    export default readQuery(siteOptions.keepQuery.default.split(','))`
  const text = await bundled({ stdin: { contents, resolveDir: root }, format: 'esm', platform: 'node' })
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).default
}

/** The tracker, with its element or the page's configuration for `document.currentScript`. */
const tracker = async () => {
  const { text } = await bundleTracker(join(root, 'src/tracker/tracker.ts'), {
    inject: [join(root, 'src/tracker/wordpress.ts')],
    define: { 'document.currentScript': 'footfallScript' },
  })
  const query = await usualQuery()
  return text.replace('__FOOTFALL_QUERY__', () => query).replace('__FOOTFALL_API__', '.')
}

/** The bytes of footfall-wordpress.zip. */
export const packWordPress = async () => {
  const names = readdirSync(join(folder, 'footfall'), { recursive: true })
    .filter(name => /\.(?:php|js|json|txt|pot?)$/.test(name))
    .map(name => `footfall/${name}`)
    .sort()
  const files = Object.fromEntries(names.map(name => [name, readFileSync(join(folder, name))]))
  for (const name of names.filter(one => one.endsWith('.po')))
    files[name.replace(/po$/, 'mo')] = compileTranslations(files[name].toString())
  files['footfall/assets/tracker.js'] = strToU8(await tracker())
  return Buffer.from(zipSync(files, { level: 9, mtime: date }))
}
