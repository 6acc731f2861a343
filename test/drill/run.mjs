// `npm run drill`: bundles the drill as the tests are, and starts it. main.ts lists the options.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { bundle, dist, root } from '../../build.mjs'

const out = join(dist, 'test', 'drill')
const entries = ['main.ts', 'migrate-child.ts'].map(file => join(root, 'test/drill', file))
await bundle(entries, out, { packages: 'external', sourcemap: 'inline' })
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', join(out, 'main.cjs'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
