// Bundles test code for Node: each entry a small file, what they share in chunks next to them.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, dist, root } from '../../bundle.mjs'

/**
 * Bundles files below test/ into a folder of their own in dist, so that parallel runs do not meet, and returns it.
 * The folder is removed when the process ends.
 */
export const bundleTests = async files => {
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, 'test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
  await bundle(
    files.map(file => join(root, file)),
    folder,
    {
      outbase: join(root, 'test'),
      format: 'esm',
      splitting: true,
      outExtension: { '.js': '.mjs' },
      // Of src/runtime/assets.ts, which is CommonJS in the program.
      define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
      packages: 'external',
      // In files next to them, without the sources: what is read at each start is a third smaller.
      sourcemap: 'linked',
      sourcesContent: false,
    },
  )
  return folder
}

/** The bundled file of one below test/. */
export const bundled = (folder, file) => join(folder, file.replace(/^test\//, '').replace(/\.ts$/, '.mjs'))
