// Connections that are slow, idle, flooding, or never read responses are closed, and others are served meanwhile.
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createServerAdapter } from '@whatwg-node/server'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readRequestBody } from '../../src/collection/http.ts'
import { limitByAddress } from '../../src/http/address-limit.ts'
import { readBody } from '../../src/http/body.ts'
import { createBodyPlaces } from '../../src/http/body-places.ts'
import { bufferNodeBody } from '../../src/http/node-body.ts'
import { createHttpServer, defaultTimeouts, type Handler, runOnePerTick } from '../../src/http/server.ts'
import { parseAddressList } from '../../src/lib/address/list.ts'
import { api, open, portOf, request, sendBytes, statusOf } from '../support/hostile.ts'
import { withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

/** Short timeouts, so that no test waits for long; but a machine that is busy for a moment does not reach them. */
const shortTimeouts = {
  headersTimeout: 1000,
  requestTimeout: 1500,
  connectionsCheckingInterval: 50,
  timeout: 1500,
  keepAliveTimeout: 1500,
}
const later = 3 * shortTimeouts.timeout

const withServer = async (
  handler: Handler,
  work: (port: number, server: Server) => Promise<void>,
  timeouts = shortTimeouts,
): Promise<void> => {
  const server = createHttpServer([handler], timeouts)
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  try {
    await work((server.address() as AddressInfo).port, server)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const answerAtOnce: Handler = (_request, response) => {
  response.end('fine')
  return true
}

/** Collects what comes, and resolves when the other side has ended the connection. */
const ended = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  socket.on('error', () => {
    /* It was cut. */
  })
  // Not by once() of node:events, which an error ends too.
  await new Promise(done => socket.on('close', done))
  return Buffer.concat(chunks).toString()
}

test('connections that send nothing, half a header or half a body are closed', () =>
  withServer(
    (given, response) => {
      given.resume().on('end', () => response.end('fine'))
      return true
    },
    async port => {
      const slow = [
        '',
        'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ',
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"page',
      ]
      const answers = await Promise.all(
        slow.map(async text => {
          const socket = await open(port)
          if (text !== '') socket.write(text)
          return statusOf(await ended(socket))
        }),
      )
      assert.ok(
        answers.every(status => status === null || status === 408),
        String(answers),
      )
    },
  ))

/** Bytes that are in use, without those that a collection of garbage would free. */
const memory = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

type ReadBody = (request: IncomingMessage, response: ServerResponse, onBody: (body: string) => void) => void

const longTimeouts = { ...shortTimeouts, headersTimeout: 300_000, requestTimeout: 300_000, timeout: 300_000 }
const chunkedHead = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'

/** Sends bodies in chunks of one byte on several connections; checks their memory before the end, and the bodies. */
const sendSingleBytes = async (readBody: ReadBody): Promise<void> => {
  const [connections, bytes] = [20, 8000]
  const bodies: string[] = []
  const sockets: Socket[] = []
  await withServer(
    (request, response) => {
      sockets.push(request.socket)
      readBody(request, response, body => {
        bodies.push(body)
        response.end('fine')
      })
      return true
    },
    async port => {
      const before = memory()
      const begun = chunkedHead + '1\r\na\r\n'.repeat(bytes)
      const clients = await Promise.all(Array.from({ length: connections }, () => open(port)))
      for (const client of clients) client.write(begun)
      while (sockets.length < connections || sockets.some(({ bytesRead }) => bytesRead < begun.length))
        await new Promise(setImmediate)
      // As a list, their chunks would take 1.5 to 3 MiB a connection.
      const each = (memory() - before) / connections
      assert.ok(each < 200_000, `${each} bytes a connection`)
      await Promise.all(
        clients.map(client => {
          client.write('0\r\n\r\n')
          return ended(client)
        }),
      )
    },
    longTimeouts,
  )
  assert.is(bodies.length, connections)
  assert.ok(bodies.every(body => body === 'a'.repeat(bytes)))
}

test('a hit in chunks of one byte takes only the memory of its bytes', () =>
  sendSingleBytes(async (request, _response, onBody) => onBody(String(await readRequestBody(request, 8192)))))

test('so does an unread body', () =>
  sendSingleBytes((request, response, onBody) => {
    const body = bufferNodeBody(request, response)
    const look = setInterval(() => {
      if (!request.complete) return
      clearInterval(look)
      text(body).then(onBody, () => onBody('failed'))
    }, 10).unref()
  }))

test('so does one that the API reads as it arrives, within a time limit', () =>
  sendSingleBytes((request, response, onBody) => {
    const adapter = createServerAdapter(async given => {
      onBody(Buffer.from(await readBody(given, 8192, () => createBodyPlaces(4, 300_000)(null))).toString())
      return new Response('')
    })
    const given = Object.assign(request, { body: bufferNodeBody(request, response) })
    void adapter.handleNodeRequestAndResponse(given, response)
  }))

test('an unread body is buffered up to a limit, and complete when it is read later', async () => {
  const [connections, bytes] = [4, 150_000]
  const requests: { request: IncomingMessage; response: ServerResponse; body: Readable }[] = []
  await withServer(
    (request, response) => {
      requests.push({ request, response, body: bufferNodeBody(request, response) })
      return true
    },
    async port => {
      const before = memory()
      const clients = await Promise.all(Array.from({ length: connections }, () => open(port)))
      for (const client of clients) client.write(`${chunkedHead}${'1\r\na\r\n'.repeat(bytes)}0\r\n\r\n`)
      const read = (): number[] => requests.map(({ request }) => request.socket.bytesRead)
      // The buffer's 64 KiB are six times as many bytes on the way.
      while (requests.length < connections || read().some(size => size < 6 * 65_536)) await new Promise(setImmediate)
      for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
      assert.ok(
        read().every(size => size < 10 * 65_536),
        `read on: ${read()}`,
      )
      const each =
        (memory() - before - clients.reduce((sum, { writableLength }) => sum + writableLength, 0)) / connections
      assert.ok(each < 500_000, `${each} bytes a connection`)
      const bodies = await Promise.all(requests.map(({ body }) => text(body)))
      assert.ok(bodies.every(body => body === 'a'.repeat(bytes)))
      for (const { response } of requests) response.end('fine')
      assert.ok((await Promise.all(clients.map(ended))).every(answer => answer.endsWith('fine')))
    },
    longTimeouts,
  )
})

test('the unread part of a body is discarded after the response, and the next request is served', () =>
  withServer(
    (request, response) => {
      bufferNodeBody(request, response)
      setTimeout(() => response.end('fine'), 50)
      return true
    },
    async port => {
      const body = '1\r\na\r\n'.repeat(50_000)
      const next = request('POST /', { 'Content-Length': '1' }, 'a')
      const first = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
      const answers = await sendBytes(port, `${first}${body}0\r\n\r\n${next}`)
      assert.is(answers.split('HTTP/1.1 200 OK').length - 1, 2)
    },
    longTimeouts,
  ))

test('the stream fails if the client disconnects before the end of its body', async () => {
  const outcomes: Promise<string>[] = []
  const closed: Promise<unknown>[] = []
  await withServer(
    (request, response) => {
      const body = bufferNodeBody(request, response)
      closed.push(new Promise(resolve => body.on('close', resolve)))
      if (request.url === '/read') outcomes.push(text(body).catch(() => 'failed'))
      return true
    },
    async port => {
      for (const path of ['/read', '/unread']) {
        const client = await open(port)
        client.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc`)
        while (closed.length === 0) await new Promise(setImmediate)
        client.destroy()
        await closed.pop()
      }
      assert.equal(await Promise.all(outcomes), ['failed'])
    },
  )
})

test('a hit over the limit gets its response before its end, and is not stored', () => {
  let calls = 0
  return withServer(
    (request, response) => {
      readRequestBody(request, 8192).then(body => {
        calls += 1
        response.end(body === null ? 'too large' : 'fine')
      })
      return true
    },
    async port => {
      const client = await open(port)
      // The end never comes.
      client.write(`${chunkedHead}${'1\r\na\r\n'.repeat(8193)}`)
      assert.match(await ended(client), /too large$/)
      assert.is(calls, 1)
    },
    longTimeouts,
  )
})

test('occasional bytes do not keep a request open', () =>
  withServer(answerAtOnce, async port => {
    const socket = await open(port)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')
    const drip = setInterval(() => socket.write('a'), 20)
    await ended(socket)
    clearInterval(drip)
  }))

test('an idle keep-alive connection is closed', () =>
  withServer(answerAtOnce, async port => {
    const socket = await open(port)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    assert.is(statusOf(await ended(socket)), 200)
  }))

test('a response that is never read is abandoned', () =>
  withServer(
    (_request, response) => {
      response.end(Buffer.alloc(32 * 2 ** 20))
      return true
    },
    async (port, server) => {
      const closed = new Promise(resolve => server.on('connection', socket => socket.on('close', resolve)))
      const socket = await open(port)
      socket.pause()
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      await closed
      socket.destroy()
    },
  ))

test('a slow response keeps its connection open', () =>
  withServer(
    (_request, response) => {
      setTimeout(() => response.end('late'), later)
      return true
    },
    async port => assert.match(await sendBytes(port, request('GET /')), /late$/),
  ))

test('after a slow response an idle connection is closed, too', () =>
  withServer(
    (_request, response) => {
      setTimeout(() => response.end('late'), later)
      return true
    },
    async port => {
      const socket = await open(port)
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      assert.match(await ended(socket), /late$/)
    },
  ))

test('pipelined requests on one connection are limited', () => {
  const begun: ServerResponse[] = []
  let onBegin = (): void => {}
  return withServer(
    (_request, response) => {
      begun.push(response)
      onBegin()
      return true
    },
    async port => {
      const socket = await open(port)
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2000))
      const end = ended(socket)
      const tooMany = new Promise(resolve => {
        onBegin = (): void => {
          if (begun.length > 32) resolve(null)
        }
      })
      await Promise.race([end, tooMany])
      assert.is(begun.length, 32)
    },
    defaultTimeouts,
  )
})

test('pipelined requests with unread bodies cause no warning of node in the log', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => {
    warnings.push(warning)
  }
  const begun: ServerResponse[] = []
  process.on('warning', onWarning)
  try {
    await withServer(
      (request, response) => {
        bufferNodeBody(request, response)
        begun.push(response)
        if (begun.length === 25) for (const one of begun) one.end('fine')
        return true
      },
      async port => {
        const socket = await open(port)
        const last = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}'
        socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'.repeat(24) + last)
        assert.is((await ended(socket)).match(/fine/g)?.length, 25)
      },
      defaultTimeouts,
    )
    assert.equal(
      warnings.map(({ message }) => message),
      [],
    )
  } finally {
    process.off('warning', onWarning)
  }
})

test('timers and connections are served between simultaneous requests', async () => {
  const begin = runOnePerTick()
  const begun: number[] = []
  let before = 0
  const busy = (number: number) => (): void => {
    begun.push(number)
    for (const until = performance.now() + 2; performance.now() < until; ) {
      /* It computes. */
    }
  }
  const all = new Promise<void>(done => {
    for (let number = 0; number < 100; number++) begin(busy(number))
    begin(done)
  })
  setTimeout(() => {
    before = begun.length
  })
  await all
  assert.ok(before < 100, 'a timer waits for all of them')
  assert.equal(
    begun,
    Array.from({ length: 100 }, (_, number) => number),
  )
  await new Promise<void>(begin)
})

test('queued requests start in order of arrival, however many', async () => {
  const begin = runOnePerTick()
  const begun: number[] = []
  let sent = 0
  await new Promise<void>(done => {
    const work = (number: number) => (): void => {
      begun.push(number)
      for (let more = 0; more < 2 && sent < 5000; more++) begin(work(sent++))
      if (begun.length === 5000) done()
    }
    begin(work(sent++))
  })
  assert.equal(
    begun,
    Array.from({ length: 5000 }, (_, number) => number),
  )
})

test('sequential requests on one connection all get responses', () =>
  withServer(
    answerAtOnce,
    async port => {
      const socket = await open(port)
      let text = ''
      let asked = 0
      const ask = (): void => {
        asked += 1
        socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      }
      const done = new Promise<void>((resolve, reject) => {
        socket.on('close', () => reject(new Error(`cut off after ${asked} requests`)))
        socket.on('data', chunk => {
          text += chunk.toString()
          // An answer may come in pieces.
          if (text.split('\r\nfine').length - 1 < asked) return
          if (asked === 200) resolve()
          else ask()
        })
      })
      ask()
      await done
      socket.destroy()
    },
    defaultTimeouts,
  ))

test('five hundred idle connections and as many half requests block no visit', () =>
  withService({}, async ({ service, hit, api: ask }) => {
    const port = portOf(service.url)
    const silent: Socket[] = []
    // In groups, as the system queues only so many that are not yet taken.
    for (let group = 0; group < 10; group++)
      silent.push(...(await Promise.all(Array.from({ length: 100 }, () => open(port)))))
    silent.forEach((socket, index) => {
      socket.on('error', () => {
        /* It was let go. */
      })
      if (index % 2 === 0)
        socket.write(
          `POST ${api}/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 8192\r\n\r\n{`,
        )
    })
    for (let at = 0; at < 20; at++)
      assert.is((await hit({ page_url: `/${at}` }, { 'x-forwarded-for': `198.51.100.${at}` })).status, 204)
    assert.is((await ask('/summary?from=2026-03-10&to=2026-03-10')).status, 200)
    silent.forEach(socket => socket.destroy())
  }))

/** Opens this many connections from a local address, in groups, and resolves with those that were not closed. */
const openMany = async (port: number, count: number, localAddress: string): Promise<Socket[]> => {
  const kept = new Set<Socket>()
  for (let left = count; left > 0; left -= 100)
    await Promise.all(
      Array.from({ length: Math.min(100, left) }, async () => {
        const socket = connect({ port, host: '127.0.0.1', localAddress })
        kept.add(socket)
        socket.on('error', () => {
          /* It was reset. */
        })
        socket.on('close', () => kept.delete(socket))
        await once(socket, 'connect')
      }),
    )
  return [...kept]
}

const getHealth = async (port: number, localAddress: string): Promise<number | null> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.write(request('GET /healthz'))
  return statusOf(await ended(socket))
}

test('one address cannot take all connections; the others have theirs', () =>
  withService({ flags: { trustProxy: '127.0.0.3' } }, async ({ service }) => {
    const port = portOf(service.url)
    const sockets = await openMany(port, 1010, '127.0.0.4')
    await until(() => assert.is(sockets.filter(({ closed }) => !closed).length, 1000))
    assert.is(await getHealth(port, '127.0.0.4'), null, 'closed without an answer')
    assert.is(await getHealth(port, '127.0.0.2'), 200, 'another address is served')
    sockets.find(({ closed }) => !closed)?.destroy()
    await until(async () => assert.is(await getHealth(port, '127.0.0.4'), 200))
    const proxied = await openMany(port, 1010, '127.0.0.3')
    assert.is(await getHealth(port, '127.0.0.3'), 200, 'a trusted proxy may have more')
    assert.is(proxied.filter(({ closed }) => !closed).length, 1010)
    for (const socket of [...sockets, ...proxied]) socket.destroy()
  }))

test('an IPv6 client is its /64, and a /48 has four times as many', () => {
  const server = new EventEmitter()
  limitByAddress(server, parseAddressList('2001:db8:f::1').list, { client: 3, network: 12 })
  const connectFrom = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      refused: false,
      destroy: (): void => {
        socket.refused = true
      },
    })
    server.emit('connection', socket)
    return socket
  }
  const accepted = (addresses: readonly string[]): number =>
    addresses.map(connectFrom).filter(({ refused }) => !refused).length
  const times = (count: number, addressOf: (number: number) => string) =>
    Array.from({ length: count }, (_, n) => addressOf(n))
  assert.is(accepted(times(10, n => `2001:db8:1::${n + 1}`)), 3, 'one /64')
  assert.is(accepted(times(10, n => `2001:db8:1:${n + 1}::1`)), 9, 'the rest of its /48')
  assert.is(accepted(times(10, n => `2001:db8:${n + 2}::1`)), 10, 'other networks')
  assert.is(accepted(times(10, () => '2001:db8:f::1')), 10, 'a trusted proxy')
  assert.is(accepted(times(10, n => (n % 2 === 0 ? '203.0.113.7' : '::ffff:203.0.113.7'))), 3)
  const last = connectFrom('198.51.100.1')
  assert.is(accepted(times(5, () => '198.51.100.1')), 2)
  last.emit('close')
  assert.is(accepted(times(5, () => '198.51.100.1')), 1, 'a place that was left is free')
})

test.run()
