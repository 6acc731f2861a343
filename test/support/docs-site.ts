// The documents as pages: docs.mjs.
import { spawnSync } from 'node:child_process'
import * as assert from 'uvu/assert'

export const makeDocsSite = (folder: string): void => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['docs.mjs', folder], { encoding: 'utf8' })
  assert.is(status, 0, `${stdout}${stderr}`)
}
