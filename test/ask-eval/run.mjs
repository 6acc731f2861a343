// `npm run ask-eval [-- --list] [-- --aside]`: how well questions in plain words are understood, as tables. `--list` shows
// what is not right; `--aside` scores the sentences that were set aside, and never lists them.
import { spawnSync } from 'node:child_process'
import { root } from '../../bundle.mjs'
import { bundled, bundleTests } from '../support/bundle.mjs'

const report = 'test/ask-eval/report.ts'
const out = await bundleTests([report])
const { status } = spawnSync(process.execPath, [bundled(out, report), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
