// `npm run classes [-- --all]`: a report, not a test. `--all` lists what is classified otherwise.
import { join } from 'node:path'
import { bundle, dist, root } from '../../bundle.mjs'

const out = join(dist, 'test/classes')
await bundle([join(root, 'test/classes/report.ts')], out, { packages: 'external' })
process.chdir(root)
await import(join(out, 'report.cjs'))
