// Connections that send slowly, too much, or nothing, and that fetch no answer: they end, and others are served meanwhile.
import { ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createServerAdapter } from '@whatwg-node/server'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runOnePerTick } from '../../src/lib/run-one-per-tick.ts'
import { readBody } from '../../src/http/body.ts'
import type { LeanRequest } from '../../src/http/lean-request.ts'
import type { LeanServer } from '../../src/http/lean-server.ts'
import { readNodeBody } from '../../src/http/node-body.ts'
import { createHttpServer, patience, type Handler } from '../../src/http/server.ts'
import { api, open, portOf, request, sendBytes, statusOf } from '../support/hostile.ts'
import { withService } from '../support/service.ts'

/** A server of little patience, so that no test waits for long. */
const impatient = { headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 50, timeout: 300 }

const withServer = async (
  handler: Handler,
  work: (port: number, server: LeanServer) => Promise<void>,
  times = impatient,
): Promise<void> => {
  const server = createHttpServer([handler], times)
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

test('whoever sends nothing, half a header or half a body is let go', () =>
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

/** Connections whose bodies come byte by byte: what they take before they end, and what is read of them then. */
const dripped = async (read: (given: LeanRequest, done: (body: string) => void) => void): Promise<void> => {
  const [connections, bytes] = [20, 8000]
  const bodies: string[] = []
  const sockets: Socket[] = []
  await withServer(
    (given, response) => {
      sockets.push(given.socket)
      read(given, body => {
        bodies.push(body)
        response.end('fine')
      })
      return true
    },
    async port => {
      const before = memory()
      const begun = `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(bytes)}`
      const clients = await Promise.all(Array.from({ length: connections }, () => open(port)))
      for (const client of clients) client.write(begun)
      while (sockets.length < connections || sockets.some(({ bytesRead }) => bytesRead < begun.length))
        await new Promise(setImmediate)
      // As a list, their pieces would take 1.5 to 3 MiB a connection.
      const each = (memory() - before) / connections
      assert.ok(each < 200_000, `${each} bytes a connection`)
      await Promise.all(
        clients.map(client => {
          client.write('0\r\n\r\n')
          return ended(client)
        }),
      )
    },
    { ...impatient, headersTimeout: 20_000, requestTimeout: 20_000, timeout: 20_000 },
  )
  assert.is(bodies.length, connections)
  assert.ok(bodies.every(body => body === 'a'.repeat(bytes)))
}

test('a hit that comes byte by byte takes the room of its bytes', () =>
  dripped((given, done) => readNodeBody(given, 8192, body => done(String(body)))))

test('so does a body that nobody has begun to read', () =>
  dripped((given, done) => {
    const look = setInterval(() => {
      if (!given.complete) return
      clearInterval(look)
      text(given).then(done, () => done('failed'))
    }, 10).unref()
  }))

test('so does one that the API reads as it comes', () =>
  dripped((given, done) => {
    const answer = createServerAdapter(async request => {
      done(Buffer.from(await readBody(request, 8192)).toString())
      return new Response('')
    })
    void answer(given, new ServerResponse(given))
  }))

test('a byte now and then does not keep a request open', () =>
  withServer(answerAtOnce, async port => {
    const socket = await open(port)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')
    const drip = setInterval(() => socket.write('a'), 20)
    await ended(socket)
    clearInterval(drip)
  }))

test('a connection that is kept ends when nothing comes', () =>
  withServer(answerAtOnce, async port => {
    const socket = await open(port)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    assert.is(statusOf(await ended(socket)), 200)
  }))

test('an answer that nobody fetches is given up', () =>
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

test('an answer that takes long to make is waited for', () =>
  withServer(
    (_request, response) => {
      setTimeout(() => response.end('late'), 900)
      return true
    },
    async port => assert.match(await sendBytes(port, request('GET /')), /late$/),
  ))

test('after it the connection ends, too, when nothing more comes', () =>
  withServer(
    (_request, response) => {
      setTimeout(() => response.end('late'), 900)
      return true
    },
    async port => {
      const socket = await open(port)
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      assert.match(await ended(socket), /late$/)
    },
  ))

test('of many requests sent at once on one connection a few are begun', () => {
  const begun: ServerResponse[] = []
  return withServer(
    (_request, response) => {
      begun.push(response)
      return true
    },
    async port => {
      const socket = await open(port)
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2000))
      await ended(socket)
      assert.is(begun.length, 32)
    },
    patience,
  )
})

test('whatever comes at once, timers and connections get their turn between two requests', async () => {
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

test('requests that come while others wait are begun in their order, however many', async () => {
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

test('requests that follow one another on one connection are all answered', () =>
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
    patience,
  ))

test('five hundred silent connections and as many half requests keep no visit out', () =>
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

test.run()
