// The job that asks for known vulnerabilities: what it says of a registry that knows none, that knows one, and that does not answer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const { version } = packages['node_modules/valibot']
const advisory = {
  id: 1,
  url: 'https://example.org/advisory',
  title: 'Reads too much',
  severity: 'high',
  vulnerable_versions: '<=999.0.0',
}

/** Runs the job with a registry that answers requests for advisories so. */
const audit = async (answer: (response: ServerResponse) => void): Promise<{ code: number; said: string }> => {
  const registry = createServer((request, response) => {
    request.resume()
    if (request.method === 'POST') return answer(response)
    const versions = { [version]: { name: 'valibot', version } }
    response.end(JSON.stringify({ name: 'valibot', 'dist-tags': { latest: version }, versions }))
  })
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  const cache = mkdtempSync(join(tmpdir(), 'footfall-npm-'))
  try {
    const { port } = registry.address() as AddressInfo
    const options = ['--registry', `http://127.0.0.1:${port}/`, '--cache', cache, '--fetch-retries', '0']
    const child = spawn(process.execPath, ['test/npm-audit.mjs', ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    return { code, said }
  } finally {
    registry.closeAllConnections()
    registry.close()
    rmSync(cache, { recursive: true })
  }
}

test('a registry that knows no vulnerability: checked', async () => {
  const { code, said } = await audit(response => response.end('{}'))
  assert.is(said, 'npm audit: checked, 0 packages with a known vulnerability\n')
  assert.is(code, 0)
})

test('a known vulnerability is named, and fails', async () => {
  const { code, said } = await audit(response => response.end(JSON.stringify({ valibot: [advisory] })))
  assert.match(said, /npm audit: valibot .*, high: Reads too much https:\/\/example\.org\/advisory/)
  assert.match(said, /checked, [1-9]\d* packages with a known vulnerability\n$/)
  assert.is(code, 1)
})

test('a registry that takes no such question: it is said that nothing was checked', async () => {
  for (const status of [404, 405, 500]) {
    const { code, said } = await audit(response => response.writeHead(status).end())
    assert.match(said, /^npm audit: NOT CHECKED, the registry does not answer \(.*\)\n$/)
    assert.is(code, 0)
  }
})

test('the job is part of the run for a clean clone', () => {
  assert.match(readFileSync('.ci/run', 'utf8'), /^node test\/npm-audit\.mjs$/m)
})

test.run()
