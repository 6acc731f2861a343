// Requests have the headers that node gives them, however they are written.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLeanServer } from '../src/http/lean-request.ts'

const start = async (server: Server): Promise<Server> => {
  server.on('request', (request, response) => {
    // Twice, as they are kept.
    const [first, second] = [request.headers, request.headers]
    response.end(JSON.stringify({ same: first === second, plain: Object.getPrototypeOf(first) === Object.prototype, headers: Object.entries(first) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const send = async (server: Server, lines: readonly string[]): Promise<string> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(['GET / HTTP/1.1', 'Host: shop.example', ...lines, 'Connection: close', '', ''].join('\r\n'), 'latin1')
  const answer = await text(socket)
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}

const name = fc.constantFrom(
  'User-Agent', 'user-agent', 'USER-AGENT', 'Accept', 'Accept-Language', 'Cookie', 'cookie', 'Set-Cookie', 'X-Forwarded-For', 'x-forwarded-for', 'Referer', 'Age',
  'Content-Type', 'Authorization', 'Sec-CH-UA', 'X-A', 'x-a', '__proto__', 'constructor', 'toString', '0', '12', 'x'.repeat(600),
)
const line = fc.tuple(name, fc.constantFrom('', 'a', 'a, b', 'x=1; y=2', 'é')).map(([one, value]) => `${one}: ${value}`)

test('as node has them: names, values, order, and what comes twice', async () => {
  const [lean, plain] = [await start(createLeanServer({})), await start(createServer())]
  try {
    await fc.assert(fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.constantFrom(0, 0, 0, 60, 900), async (lines, more) => {
      const all = [...lines, ...Array.from({ length: more }, (_, n) => `n${n}: ${n}`)]
      const [made, wanted] = [await send(lean, all), await send(plain, all)]
      assert.match(wanted, '"same":true,"plain":true')
      assert.is(made, wanted)
    }), { numRuns: 150 })
  } finally {
    lean.close()
    plain.close()
  }
})

test.run()
