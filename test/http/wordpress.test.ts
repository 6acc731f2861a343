// Recorded responses of a real WordPress: the same request gets the same status and body.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Sent } from '../support/http-demo.ts'
import { startDemo } from '../support/http-demo.ts'

const folder = 'test/fixtures/wordpress-rest'
const ours = (text: string, port: number): string =>
  text
    .replaceAll('\\/', '/')
    .replaceAll('demo/v1', 'analytics/v1')
    .replaceAll('http://localhost', `http://127.0.0.1:${port}`)

/** Reads the curl line over a capture. */
const requestOf = (line: string): Sent => {
  const words = [...line.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)
  const url = new URL(words.pop() ?? '')
  const headers: Record<string, string> = {}
  const sent: Sent = { path: url.pathname + url.search, headers }
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-I') sent.method = 'HEAD'
    if (word === '-X') sent.method = words.shift() ?? ''
    if (word === '-d') sent.body = words.shift() ?? ''
    if (word === '-u') headers.authorization = `Basic ${btoa(words.shift() ?? '')}`
    if (word === '-b') headers.cookie = `session=${words.shift()}`
    if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(': ')
      headers[name.toLowerCase()] = value
    }
  }
  return sent
}

const read = (file: string) => {
  const [line = '', ...rest] = readFileSync(join(folder, file), 'utf8').split('\n')
  const text = rest.join('\n').replaceAll('\r', '')
  const gap = text.indexOf('\n\n')
  const head = text.slice(0, gap)
  return {
    line,
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    allow: /^Allow: (.*)$/m.exec(head)?.[1],
    body: text.slice(gap).trim(),
  }
}

/**
 * Where the contract differs on purpose: permission is looked at before the body; and OPTIONS without an Allow for
 * guests is kept.
 */
const different = new Map([['28-malformed-json-unauth.txt', 401]])

const starting = startDemo()

for (const file of readdirSync(folder).sort()) {
  test(`same response as WordPress: ${file}`, async () => {
    const demo = await starting
    const { line, status, allow, body } = read(file)
    const sent = requestOf(line)
    const received = await demo.send({ ...sent, path: ours(sent.path, demo.port) })
    assert.is(received.status, different.get(file) ?? status)
    assert.is(received.headers.allow, allow)
    assert.is(received.headers['content-type'], 'application/json; charset=UTF-8')
    assert.is(received.headers['x-robots-tag'], 'noindex')
    assert.is(received.headers['x-content-type-options'], 'nosniff')
    assert.ok(received.headers['x-request-id'])
    assert.is(received.headers['access-control-allow-origin'], undefined)
    if (different.has(file)) return
    const expected: unknown = body === '' ? undefined : JSON.parse(ours(body, demo.port))
    if (file === '73-index-namespace.txt') {
      compareIndex(received.body, expected)
    } else {
      assert.equal(received.body, expected)
    }
  })
}

type Index = {
  namespace: string
  routes: Record<string, { endpoints: { methods: string[]; args: unknown; capability?: string }[] }>
  _links: unknown
}

/** Ours lists more routes, and names capabilities and the types of the index's own arguments. */
const compareIndex = (received: unknown, expected: unknown): void => {
  const [here, there] = [received as Index, expected as Index]
  for (const { endpoints } of Object.values(here.routes)) for (const endpoint of endpoints) delete endpoint.capability
  assert.is(here.namespace, there.namespace)
  assert.equal(here._links, there._links)
  for (const [path, route] of Object.entries(there.routes)) {
    if (path === '/analytics/v1') {
      assert.equal(here.routes[path]?.endpoints[0]?.args, {
        namespace: { type: 'string', default: 'analytics/v1', required: false },
        context: { type: 'string', default: 'view', required: false },
      })
    } else if (path === '/analytics/v1/nop') {
      // One entry for each method here, one for both there.
      assert.equal(here.routes[path]?.endpoints, [
        { methods: ['GET'], args: [] },
        { methods: ['POST'], args: [] },
      ])
    } else {
      assert.equal(here.routes[path], route)
    }
  }
}

test.after(async () => (await starting).stop())
test.run()
