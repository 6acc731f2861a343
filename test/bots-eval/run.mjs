// `npm run bots-eval`: how often each rule of headers and device fires for people and for machines, as tables. Puppeteer
// and its stealth package are installed below dist at the first run, so that nobody else pays for them.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { dist, root } from '../../bundle.mjs'
import { bundled, bundleTests } from '../support/bundle.mjs'

const tools = join(dist, 'bots-eval')
if (!existsSync(join(tools, 'node_modules/puppeteer-extra-plugin-stealth'))) {
  mkdirSync(tools, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, 'test/bots-eval', name), join(tools, name))
  if (spawnSync('npm', ['ci'], { cwd: tools, stdio: 'inherit' }).status !== 0) process.exit(1)
}
const main = 'test/bots-eval/main.ts'
const out = await bundleTests([main])
const { status } = spawnSync(process.execPath, ['--enable-source-maps', bundled(out, main), tools], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
