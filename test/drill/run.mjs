// `npm run drill`: bundles the drill as the tests are, and starts it. main.ts lists the options.
import { spawnSync } from 'node:child_process'
import { root } from '../../bundle.mjs'
import { bundled, bundleTests } from '../support/bundle.mjs'

const [main, child] = ['test/drill/main.ts', 'test/drill/migrate-child.ts']
const out = await bundleTests([main, child])
const { status } = spawnSync(process.execPath, ['--enable-source-maps', bundled(out, main), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
