// Which build is measured.
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dist } from '../../build.mjs'

const executable = join(dist, 'footfall')
const bundle = join(dist, 'main.cjs')

const commandOf = path => /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path]

/** The command that starts it, and what the reader should know about it. */
export const chooseProgram = wanted => {
  if (wanted !== undefined) return { program: commandOf(resolve(wanted)), note: `measured is ${wanted}, named by --program` }
  if (!existsSync(executable)) return { program: commandOf(bundle), note: 'dist/footfall is not built: measured is node dist/main.cjs, whose size is that of the bundle' }
  const stale = existsSync(bundle) && statSync(bundle).mtimeMs > statSync(executable).mtimeMs
  return { program: [executable], note: stale ? 'dist/footfall is older than dist/main.cjs: run "npm run build"' : null }
}
