// The Node that becomes the executable without what debuggers read: it runs, and is the smaller for it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { strip } from '../../packaging/strip.mjs'

const folder = mkdtempSync(join(tmpdir(), 'footfall-strip-'))
test.after(() => rmSync(folder, { recursive: true }))

const mebibyte = 2 ** 20

test('a stripped Node runs, and once more stripped it is the same', () => {
  const node = readFileSync(process.execPath)
  const stripped = strip(node)
  assert.ok(stripped.length < node.length - 10 * mebibyte, `${stripped.length} of ${node.length} bytes`)
  assert.ok(strip(stripped).equals(stripped))
  const path = join(folder, 'node')
  writeFileSync(path, stripped, { mode: 0o755 })
  const script = 'console.log(JSON.stringify([process.version, crypto.randomUUID().length]))'
  const { status, stdout, stderr } = spawnSync(path, ['-e', script], { encoding: 'utf8' })
  assert.is(status, 0, stderr)
  assert.equal(JSON.parse(stdout), [process.version, 36])
})

test.run()
