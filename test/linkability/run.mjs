// `npm run linkability`: bundles the measurement as the tests are, and runs it.
import { spawnSync } from 'node:child_process'
import { root } from '../../bundle.mjs'
import { bundled, bundleTests } from '../support/bundle.mjs'

const main = 'test/linkability/main.ts'
const out = await bundleTests([main])
const { status } = spawnSync(process.execPath, ['--enable-source-maps', bundled(out, main), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
