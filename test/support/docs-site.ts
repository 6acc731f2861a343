// The documents as pages: docs.mjs.
import { spawnSync } from 'node:child_process'
import * as assert from 'uvu/assert'

export const makeDocsSite = (folder: string, env: Record<string, string> = {}): void => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['docs.mjs', folder], {
    encoding: 'utf8',
    env: { ...process.env, DEMO_URL: '', ...env },
  })
  assert.is(status, 0, `${stdout}${stderr}`)
}
