// Requests and answers of hits take shorter ways than node's: what comes in and goes out is the same, however it is written.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Server } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { layoutOf } from '../../src/http/header-layout.ts'
import type { LeanRequest } from '../../src/http/lean-request.ts'
import { createLeanServer, type LeanResponse } from '../../src/http/lean-server.ts'
import { commonHeaders, createEmptyAnswer } from '../../src/http/node-answer.ts'

const withServers = async (servers: readonly Server[], work: () => Promise<void>): Promise<void> => {
  try {
    for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
    await work()
  } finally {
    for (const server of servers) server.close()
  }
}

/** All that comes back for some bytes, sent in pieces that end at these places. Where `stays`, the server is to end the connection. */
const send = async (server: Server, bytes: Buffer, ends: readonly number[] = [], stays = false): Promise<string> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay()
  const came = buffer(socket)
  let from = 0
  for (const end of [...ends].sort((a, b) => a - b)) {
    socket.write(bytes.subarray(from, (from = Math.max(from, end))))
    await new Promise(setImmediate)
  }
  if (stays) socket.write(bytes.subarray(from))
  else socket.end(bytes.subarray(from))
  return (await came).toString('latin1').replaceAll(/Date: .+\r\n/g, '')
}

const head = (lines: readonly string[]): Buffer => Buffer.from([...lines, '', ''].join('\r\n'), 'latin1')

const names = [
  'User-Agent',
  'user-agent',
  'USER-AGENT',
  'Accept',
  'Accept-Language',
  'Cookie',
  'cookie',
  'Set-Cookie',
  'X-Forwarded-For',
  'x-forwarded-for',
  'Referer',
  'Age',
  'Content-Type',
  'Authorization',
  'Sec-CH-UA',
  'X-A',
  'x-a',
  '__proto__',
  'constructor',
  'toString',
  '0',
  '12',
  'x'.repeat(600),
  'Host',
  'Host',
  'Host',
  'Expect',
  'TE',
]
const line = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('', 'a', 'a, b', 'x=1; y=2', 'é', 'chunked', '100-continue'))
  .map(([name, value]) => `${name}: ${value}`)

test('headers are as node has them: names, values, order, and what comes twice', async () => {
  const tell = (
    headers: NodeJS.Dict<string | string[]>,
    again: NodeJS.Dict<string | string[]>,
    get: (name: string) => unknown,
  ): string =>
    JSON.stringify({
      same: headers === again,
      plain: Object.getPrototypeOf(headers) === Object.prototype,
      headers: Object.entries(headers),
      one: names.map(name => get(name.toLowerCase()) ?? null),
    })
  const lean = createLeanServer({}, (request, response) => {
    // Either may be asked first.
    const first = request.url === '/get' ? names.map(name => request.get(name.toLowerCase())).length : 0
    response.end(tell(request.headers, request.headers, name => request.get(name)) + String(first * 0))
  })
  const plain = createServer((request, response) => {
    const { headers } = request
    const one = (name: string): unknown => (Array.isArray(headers[name]) ? headers[name][0] : headers[name])
    response.end(`${tell(headers, request.headers, name => (Object.hasOwn(headers, name) ? one(name) : undefined))}0`)
  })
  await withServers([lean, plain], async () => {
    const start = fc.constantFrom('GET / HTTP/1.1', 'GET /get HTTP/1.1', 'POST /get HTTP/1.0', 'POST / HTTP/1.1')
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.array(line, { maxLength: 12 }),
        fc.constantFrom(0, 0, 0, 60, 900),
        async (first, lines, more) => {
          const text = head([
            first,
            ...lines,
            ...Array.from({ length: more }, (_, n) => `n${n}: ${n}`),
            'Connection: close',
          ])
          const wanted = await send(plain, text)
          assert.match(wanted, /^HTTP\/1\.1 (100|200|400|417)/)
          assert.is(await send(lean, text), wanted)
          // Known by now.
          assert.is(await send(lean, text), wanted)
        },
      ),
      { numRuns: 300 },
    )
  })
})

const body = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
const closing = head(['GET / HTTP/1.1', 'Host: a', 'Connection: close'])
const chunked = (bytes: Buffer, size: number): Buffer =>
  Buffer.concat([
    ...Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    ).flatMap(part => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from('0\r\nX-Trailer: a\r\n\r\n'),
  ])
const way = fc.constantFrom('/', '/', '/stream', '/late', '/iterator', '/unread')
const written = fc
  .tuple(way, body, fc.option(fc.integer({ min: 1, max: 100 })))
  .map(([path, bytes, size]) =>
    size === null
      ? Buffer.concat([head([`POST ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${bytes.length}`]), bytes])
      : Buffer.concat([head([`POST ${path} HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked']), chunked(bytes, size)]),
  )

test('bodies are as node has them, in whatever pieces they come and however many follow one another', async () => {
  const answer = (chunks: readonly Buffer[], ended: boolean): string =>
    `${Buffer.concat(chunks).toString('hex')} ${ended}`
  const readStream = (request: Readable, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
    })
    request.on('end', () => response.end(answer(chunks, true)))
  }
  const iterate = async (request: Readable, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.end(answer(chunks, true))
  }
  const ways: Readonly<Record<string, (request: Readable, response: ServerResponse) => unknown>> = {
    '/stream': readStream,
    '/late': (request, response) =>
      setTimeout(() => {
        readStream(request, response)
      }, 2),
    '/iterator': iterate,
    '/unread': (_request, response) => response.end('unread'),
  }
  const lean = createLeanServer({}, (request, response) => {
    const read = ways[request.url ?? '']
    if (read !== undefined) return void read(request, response)
    const chunks: Buffer[] = []
    // An answer may be given within the call, or later.
    request.receive(chunk => {
      if (chunk !== null) chunks.push(chunk)
      else if (chunks.length % 2 === 0) response.end(answer(chunks, request.readableEnded))
      else setImmediate(() => response.end(answer(chunks, request.readableEnded)))
    })
  })
  const plain = createServer((request, response) => void (ways[request.url ?? ''] ?? readStream)(request, response))
  await withServers([lean, plain], async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(1500), { maxLength: 5 }),
        async (requests, ends) => {
          const bytes = Buffer.concat([...requests, closing])
          assert.is(await send(lean, bytes, ends, true), await send(plain, bytes, ends, true))
        },
      ),
      { numRuns: 150 },
    )
  })
})

test('a body that nobody took in time is not waited for', async () => {
  const errors: unknown[] = []
  const lean = createLeanServer({}, (request, response) =>
    setImmediate(() => {
      try {
        request.receive(() => {})
      } catch (error) {
        errors.push(error)
      }
      response.end()
    }),
  )
  await withServers([lean], async () => {
    for (const more of [[], ['Content-Length: 1', '', 'a']])
      await send(lean, head(['POST / HTTP/1.1', 'Host: a', 'Connection: close', ...more]))
  })
  assert.is(errors.length, 2)
})

test('layouts are found again beside others whose names are as long, and beside many', () => {
  const raw = (...names: readonly string[]): string[] => names.flatMap(name => [name, 'a'])
  const like = [raw('Host', 'Cookie'), raw('host', 'cookie'), raw('Date', 'Accept')]
  const layouts = like.map(layoutOf)
  assert.equal(
    layouts.map(layout => [...(layout ?? [])]),
    [
      [
        ['host', 1],
        ['cookie', 3],
      ],
      [
        ['host', 1],
        ['cookie', 3],
      ],
      [
        ['date', 1],
        ['accept', 3],
      ],
    ],
  )
  for (let n = 0; n < 90; n++) layoutOf(raw('Host', 'x'.repeat(n + 7)))
  assert.ok(
    like.every((one, at) => layoutOf([...one]) === layouts[at]),
    'not read again',
  )
  // What is used no more goes.
  for (let n = 0; n < 1000; n++) layoutOf(raw('Host', 'x'.repeat(n + 7)))
  assert.not.ok(like.some((one, at) => layoutOf([...one]) === layouts[at]))
})

test('an empty answer is what node writes, the first of a second and those after it', async () => {
  const own = (
    request: { url?: string | undefined },
    response: { setHeader: (name: string, value: string) => unknown },
  ): void => {
    if (request.url === '/own') response.setHeader('x-own', 'a')
  }
  const answerEmpty = createEmptyAnswer()
  const serve = (request: LeanRequest, response: LeanResponse): void => {
    own(request, response)
    request.receive(chunk => {
      if (chunk === null) answerEmpty(response, 'some-id', Math.floor(Date.now() / 1000))
    })
  }
  const lean = createLeanServer({ keepAliveTimeout: 0 }, serve)
  const plain = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    own(request, response)
    request
      .resume()
      .on('end', () =>
        response.writeHead(204, [...Object.entries(commonHeaders).flat(), 'x-request-id', 'some-id']).end(),
      )
  })
  await withServers([lean, plain], async () => {
    const first = fc.constantFrom('POST / HTTP/1.1', 'POST /own HTTP/1.1')
    const lines = fc.subarray(['Connection: keep-alive', 'Expect: 100-continue', 'Content-Length: 0'])
    const asked = fc.tuple(first, lines).map(([start, more]) => head([start, 'Host: a', ...more]))
    // What comes after it is an error, which node may find before or after it is answered.
    const last = fc.constantFrom(
      [],
      ['POST / HTTP/1.1', 'Host: a', 'Connection: close'],
      ['POST / HTTP/1.0'],
      ['POST / HTTP/1.0', 'Connection: keep-alive'],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 8 }), last, async (requests, end) => {
        const bytes = Buffer.concat(end.length === 0 ? requests : [...requests, head(end)])
        const wanted = await send(plain, bytes)
        assert.match(wanted, 'HTTP/1.1 204 No Content\r\n')
        assert.is(await send(lean, bytes), wanted)
      }),
      { numRuns: 150 },
    )
  })
})

test('each empty answer has its own id and the time of its second', async () => {
  let count = 0
  const answerEmpty = createEmptyAnswer()
  const lean = createLeanServer({}, (request, response) =>
    request.receive(chunk => {
      if (chunk === null) answerEmpty(response, `id-${count++}`, Math.floor(Date.now() / 1000))
    }),
  )
  await withServers([lean], async () => {
    const { port } = lean.address() as AddressInfo
    const got = new Set<string | null>()
    for (const until = Date.now() + 1200; Date.now() < until; ) {
      const before = Math.floor(Date.now() / 1000)
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'a' })
      got.add(answer.headers.get('x-request-id'))
      const told = Date.parse(answer.headers.get('date') ?? '') / 1000
      // Node looks at the time a moment before or after.
      assert.ok(told >= before - 1 && told <= Math.floor(Date.now() / 1000), `${told} within ${before}`)
    }
    assert.is(got.size, count)
    assert.ok(count > 2)
  })
})

test.run()
