// How much one request of a stranger moves: bytes out for each byte in, over every address that anybody may ask.
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { portOf } from '../support/hostile.ts'
import { type Running, withService } from '../support/service.ts'

/** Bytes out for each byte in. The largest are files, which are kept gzipped: the API reference and its document. */
const maxRatio = 1500
const api = '/analytics/v1'
const jsonType = 'Content-Type: application/json\r\n'

type Asked = { method: string; path: string; body?: string; headers?: string }
type Measured = Asked & { status: number; sent: number; received: Buffer; milliseconds: number }

/** The shortest request that asks for the same. */
const bytesOf = ({ method, path, body = '', headers = '' }: Asked): Buffer =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n` +
      `${headers}${body === '' ? '' : `${jsonType}Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`,
  )

const measure = ({ service }: Running, asked: Asked): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const bytes = bytesOf(asked)
    const started = performance.now()
    const socket = connect(portOf(service.url), '127.0.0.1', () => socket.write(bytes))
    const chunks: Buffer[] = []
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const received = Buffer.concat(chunks)
      const status = Number(received.toString('latin1', 9, 12))
      resolve({ ...asked, status, sent: bytes.length, received, milliseconds: performance.now() - started })
    })
  })

const ratioOf = ({ sent, received }: Measured): number => received.length / sent

const bodyOf = ({ received }: Measured): Buffer => received.subarray(received.indexOf('\r\n\r\n') + 4)

type Document = { paths: Record<string, Record<string, { security: object[] }>> }

/** Every route of the API by every method that it has, and OPTIONS, as a stranger may send them. */
const routesOf = ({ paths }: Document): Asked[] =>
  Object.entries(paths).flatMap(([template, methods]) => {
    const path = `${api}${template === '/' ? '' : template}`.replace(/\{\w+\}/g, '1')
    const bodies = Object.keys(methods).map(method => method.toUpperCase())
    return [
      ...bodies.map(method => ({ method, path, ...(method !== 'GET' && { body: '{}' }) })),
      ...(bodies.includes('GET') ? [{ method: 'HEAD', path }] : []),
      { method: 'OPTIONS', path },
    ]
  })

/** The files of the dashboard, by the addresses in its page. */
const filesOf = async ({ service }: Running): Promise<Asked[]> => {
  const html = await (await fetch(`${service.url}/`)).text()
  const assets = [...html.matchAll(/[\w-]+\.(?:js|css|json)\?v=[0-9a-f]+/g)].map(([name]) => `/${name.split('?')[0]}`)
  assert.ok(assets.length >= 7, `the page names ${assets}`)
  const others = ['/', '/login', '/licenses.txt', '/tracker.js', '/noscript.gif', '/pixel.gif', '/healthz', '/metrics']
  return [...others, '/.well-known/security.txt', '/nowhere', `${api}/docs`, ...assets].map(path => ({
    method: 'GET',
    path,
  }))
}

const batchOf = (path: string, count = 25): string => JSON.stringify({ requests: Array(count).fill({ path }) })

/** What is made to be large: many inner requests, wrong names of many parameters, parts of documents. */
const hostile = ({ paths }: Document): Asked[] => [
  { method: 'POST', path: `${api}/batch`, body: batchOf('/openapi.json') },
  { method: 'POST', path: `${api}/batch`, body: batchOf('/') },
  { method: 'POST', path: `${api}/batch`, body: batchOf('/session') },
  { method: 'POST', path: `${api}/advisor/answers`, body: JSON.stringify({ ids: Array(116).fill('q2') }) },
  { method: 'POST', path: `${api}/session`, body: JSON.stringify({ login: 'x'.repeat(9000), password: 'y' }) },
  { method: 'POST', path: `${api}/hit`, body: JSON.stringify({ page_url: 'x'.repeat(7000) }) },
  { method: 'POST', path: `${api}/share-links/open`, body: JSON.stringify({ token: 'x'.repeat(9000) }) },
  ...['paths', 'components', 'info', '*', Object.keys(paths).join()].map(fields => ({
    method: 'GET',
    path: `${api}/openapi.json?_fields=${fields}`,
  })),
  ...['routes', 'namespace', '_links', 'routes.'].map(fields => ({ method: 'GET', path: `${api}?_fields=${fields}` })),
  ...['GET', 'HEAD', 'OPTIONS'].map(method => ({ method: 'POST', path: `${api}/openapi.json?_method=${method}` })),
]

test('no address that anybody may ask answers with more than 1,500 bytes for each byte of the request', () =>
  withService({ flags: { securityContact: 'security@example.org' } }, async running => {
    const document = (await running.api('/openapi.json')).body
    const asked = [...routesOf(document), ...(await filesOf(running)), ...hostile(document)]
    const measured: Measured[] = []
    // Twice: what is made for the first is kept.
    for (const one of [...asked, ...asked]) measured.push(await measure(running, one))
    for (const one of measured) {
      const what = `${one.method} ${one.path} ${one.body?.slice(0, 60) ?? ''}`
      assert.ok(one.status >= 200 && one.status < 500, `${what}: ${one.status}`)
      assert.ok(ratioOf(one) <= maxRatio, `${what}: ${one.received.length} bytes for ${one.sent}`)
    }
    const kept = measured.slice(asked.length)
    for (const one of kept.sort((a, b) => ratioOf(b) - ratioOf(a)).slice(0, 12))
      console.log(
        `MEASURED ${ratioOf(one).toFixed(0)} bytes a byte, ${one.milliseconds.toFixed(1)} ms: ${one.method} ${one.path}`,
      )
    for (const one of kept.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 12))
      console.log(
        `MEASURED ${one.milliseconds.toFixed(1)} ms, ${ratioOf(one).toFixed(0)} bytes a byte: ${one.method} ${one.path}`,
      )
  }))

test('the documents are kept, also gzipped, and a client that has one gets none', () =>
  withService({}, async ({ service }) => {
    for (const path of ['', '/openapi.json']) {
      const ask = (headers: Record<string, string>): Promise<Response> =>
        fetch(`${service.url}${api}${path}`, { headers })
      const [plain, packed] = [await ask({ 'accept-encoding': 'identity' }), await ask({ 'accept-encoding': 'gzip' })]
      assert.equal([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')], [null, 'gzip'])
      const text = await plain.text()
      assert.is(await packed.text(), text)
      assert.is(plain.headers.get('vary'), 'Accept-Encoding')
      const etag = plain.headers.get('etag') ?? ''
      const again = await ask({ 'if-none-match': etag })
      assert.equal([again.status, await again.text(), again.headers.get('etag')], [304, '', etag])
      // Text of another origin is another document.
      const { routes } = JSON.parse(text)
      if (routes !== undefined) assert.match(JSON.stringify(routes), service.url)
    }
  }))

test('a file is gzipped once, not for each request', () =>
  withService({}, async running => {
    const first = await measure(running, { method: 'GET', path: `${api}/openapi.json` })
    const original = JSON.stringify
    let written = 0
    JSON.stringify = ((...parts: Parameters<typeof JSON.stringify>) => {
      const text = Reflect.apply(original, JSON, parts)
      written += text?.length ?? 0
      return text
    }) as typeof JSON.stringify
    try {
      for (let times = 0; times < 20; times++) {
        const again = await measure(running, { method: 'GET', path: `${api}/openapi.json` })
        assert.ok(bodyOf(again).equals(bodyOf(first)))
      }
    } finally {
      JSON.stringify = original
    }
    assert.ok(written < 10_000, `${written} characters of JSON were written`)
    assert.is(JSON.parse(gunzipSync(bodyOf(first)).toString()).openapi, '3.1.0')
  }))

test.run()
