// Bodies and empty responses over sockets: complete and in order, however the requests are split into packets.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readRequestBody, sendEmpty } from '../../src/collection/http.ts'
import { bufferNodeBody } from '../../src/http/node-body.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { checkAsync } from '../support/property.ts'
import { withService } from '../support/service.ts'

const withServer = async (
  serve: (request: IncomingMessage, response: ServerResponse) => unknown,
  work: (server: Server) => Promise<void>,
): Promise<void> => {
  const server = createHttpServer([(request, response) => serve(request, response) !== null])
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await work(server)
  } finally {
    server.close()
  }
}

/**
 * All that comes back for some bytes, sent in pieces that end at these places. The server is to close the connection.
 */
const send = async (server: Server, bytes: Buffer, ends: readonly number[] = []): Promise<string> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay()
  const answers = buffer(socket)
  let from = 0
  for (const end of [...ends].sort((a, b) => a - b)) {
    socket.write(bytes.subarray(from, (from = Math.max(from, end))))
    await new Promise(setImmediate)
  }
  socket.write(bytes.subarray(from))
  return (await answers).toString('latin1')
}

const head = (lines: readonly string[]): Buffer => Buffer.from([...lines, '', ''].join('\r\n'), 'latin1')
const closing = head(['GET /stream HTTP/1.1', 'Host: a', 'Connection: close'])

const chunked = (bytes: Buffer, size: number): Buffer =>
  Buffer.concat([
    ...Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    ).flatMap(part => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from('0\r\nX-Trailer: a\r\n\r\n'),
  ])

/** A request, and what its answer's body is to be. */
const posted = fc
  .tuple(
    fc.constantFrom('/hit', '/hit', '/stream', '/late', '/unread', '/ignored'),
    fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
    fc.option(fc.integer({ min: 1, max: 100 })),
  )
  .map(([path, bytes, size]) => ({
    expected: path === '/unread' || path === '/ignored' ? 'unread' : `${bytes.toString('hex')}.`,
    bytes:
      size === null
        ? Buffer.concat([head([`POST ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${bytes.length}`]), bytes])
        : Buffer.concat([
            head([`POST ${path} HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked']),
            chunked(bytes, size),
          ]),
  }))

test('bodies arrive complete, however they are split and pipelined', () => {
  const answer = (response: ServerResponse, body: Buffer | null): unknown => response.end(`${body?.toString('hex')}.`)
  const ways: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
    '/hit': async (request, response) => answer(response, await readRequestBody(request, 300)),
    '/stream': async (request, response) => answer(response, await buffer(bufferNodeBody(request, response))),
    '/late': (request, response) => {
      const body = bufferNodeBody(request, response)
      setTimeout(async () => answer(response, await buffer(body)), 2)
    },
    '/unread': (request, response) => {
      bufferNodeBody(request, response)
      response.end('unread')
    },
    '/ignored': (_request, response) => response.end('unread'),
  }
  return withServer(
    (request, response) => ways[request.url ?? '']?.(request, response),
    async server =>
      checkAsync(
        fc.asyncProperty(
          fc.array(posted, { minLength: 1, maxLength: 5 }),
          fc.array(fc.nat(1500), { maxLength: 5 }),
          async (requests, ends) => {
            const answers = await send(server, Buffer.concat([...requests.map(({ bytes }) => bytes), closing]), ends)
            const bodies = answers.split(/HTTP\/1\.1 200 OK\r\n/).slice(1)
            assert.equal(
              bodies.map(text => text.split('\r\n\r\n')[1]),
              [...requests.map(({ expected }) => expected), '.'],
            )
          },
        ),
        { numRuns: 150 },
      ),
  )
})

test('empty responses have no body and unique ids, and keep the connection as the client requests', () => {
  let count = 0
  return withServer(
    async (request, response) => {
      await readRequestBody(request, 10)
      sendEmpty(response, `id-${count++}`)
    },
    async server => {
      const keepOpen = head(['POST / HTTP/1.1', 'Host: a', 'Content-Length: 0'])
      const old = head(['POST / HTTP/1.0', 'Content-Length: 0'])
      const answers = (await send(server, Buffer.concat([keepOpen, keepOpen, old]))).split('\r\n\r\n')
      assert.is(answers.pop(), '')
      assert.is(answers.length, 3)
      answers.forEach((answer, index) => {
        assert.match(answer, 'HTTP/1.1 204 No Content\r\n')
        assert.match(answer, `x-request-id: id-${index}`)
        assert.match(answer, 'access-control-allow-origin: *')
        assert.match(answer, index < 2 ? 'Connection: keep-alive' : 'Connection: close')
        assert.not.match(answer, /content-length|transfer-encoding/i)
      })
      assert.match(answers[0] ?? '', 'Keep-Alive: timeout=64')
    },
  )
})

test('only a parameter named _method overrides the method of a hit', () =>
  withService({}, async ({ service }) => {
    const send = async (query: string): Promise<number> =>
      (
        await fetch(`${service.url}/analytics/v1/hit?${query}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"page_url":"/"}',
        })
      ).status
    for (const query of ['payment_method=card', 'a=_method=GET', 'method=GET', '_methods=GET', 'x[_method]=GET'])
      assert.is(await send(query), 204, query)
    for (const query of ['_method=GET', 'a=b&_method=PUT', '%5Fmethod=DELETE', '_method=post'])
      assert.is(await send(query), 404, query)
  }))

test.run()
