import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6, type Server as NetServer, type Socket } from 'node:net'

/** Milliseconds after which slow and idle clients are disconnected; no legitimate request needs longer. */
export const defaultTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** How often the first two are checked. */
  connectionsCheckingInterval: 2000,
  /** Without a byte in either direction while no request is being served; proxies keep connections for a minute. */
  timeout: 65_000,
  /** Between two requests. Sent to clients in `Keep-Alive`; node waits one second longer. */
  keepAliveTimeout: 64_000,
}
const maxHeaderBytes = 16 * 1024
/** An idle connection takes about 7 KiB, and a file descriptor that the database may need. */
const maxConnections = 10_000
/** Per connection. Browsers and proxies send requests one after the other; many pipelined ones are an attack. */
const maxConcurrentRequests = 32

/** Returns whether it handled the request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => boolean

/** Serves each of these paths by its own handler. */
export const atPaths =
  (handlers: ReadonlyMap<string, Handler>): Handler =>
  (request, response) =>
    handlers.get((request.url ?? '').split('?', 1).join(''))?.(request, response) ?? false

/** Serves what is below a path by a handler that is told the rest of it. */
export const belowPath =
  (start: string, handlerOf: (rest: string) => Handler): Handler =>
  (request, response) => {
    const path = (request.url ?? '').split('?', 1).join('')
    return path.startsWith(start) && handlerOf(path.slice(start.length))(request, response)
  }

/** A handler of the requests that have a header. */
export const byHeader =
  (name: string, handler: Handler): Handler =>
  (request, response) =>
    request.headers[name] !== undefined && handler(request, response)

/** Ids that identify requests in the log; they need not be secret. */
export const createRequestIds = (): (() => string) => {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

/**
 * Limits what one connection can cost: it is closed if it has too many concurrent requests, or if the client does not
 * read its responses (`server.timeout`). A request that is still being served keeps its connection open.
 * @returns whether a request may be served
 */
const limitConnections = (server: Server): Handler => {
  const activeRequests = new WeakMap<Socket, number>()
  const countOf = (socket: Socket): number => activeRequests.get(socket) ?? 0
  // Each of them may listen to its socket. Beyond 10 listeners node would log a warning of a leak.
  server.on('connection', (socket: Socket) => socket.setMaxListeners(10 + maxConcurrentRequests))
  server.on('timeout', socket => {
    if (countOf(socket) === 0 || socket.writableLength > 0) socket.destroy()
  })
  return ({ socket }, response) => {
    if (countOf(socket) >= maxConcurrentRequests) {
      socket.destroy()
      return false
    }
    activeRequests.set(socket, countOf(socket) + 1)
    response.once('close', () => activeRequests.set(socket, countOf(socket) - 1))
    return true
  }
}

/** Passes each request to the first handler that accepts it; the last one accepts all. */
export const createHttpServer = (
  handlers: readonly Handler[],
  { timeout, ...timeouts }: typeof defaultTimeouts = defaultTimeouts,
): Server => {
  const server = createServer({ ...timeouts, maxHeaderSize: maxHeaderBytes }, (request, response) => {
    if (isAllowed(request, response)) handlers.some(handle => handle(request, response))
  })
  const isAllowed = limitConnections(server)
  server.maxConnections = maxConnections
  server.timeout = timeout
  return server
}

/** Listens, and resolves with the URL. Rejects with the system's error, such as EADDRINUSE. */
export const listen = (server: NetServer, host: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const { address, port: used } = server.address() as AddressInfo
      resolve(`http://${isIPv6(address) ? `[${address}]` : address}:${used}`)
    })
  })

const idleCheckInterval = 50
/** Five seconds of checks: time in which the machine stalled does not count against the clients. */
const idleChecks = 100

/**
 * Lets running requests finish, then closes all connections. Connections become idle only after their response, so
 * idle ones are closed repeatedly; a client that never finishes its request is disconnected.
 */
export const closeServer = (
  server: NetServer & Pick<Server, 'closeIdleConnections' | 'closeAllConnections'>,
): Promise<void> =>
  new Promise(resolve => {
    let left = idleChecks
    const checks = setInterval(() => {
      left -= 1
      if (left > 0) server.closeIdleConnections()
      else server.closeAllConnections()
    }, idleCheckInterval)
    server.close(() => {
      clearInterval(checks)
      resolve()
    })
    server.closeIdleConnections()
  })

/** Maximum finished tasks that stay in the queue. */
const maxFinished = 1024

/**
 * Runs one task per turn of the event loop, so that connections, timers and hits are served in between. Many
 * simultaneous requests block the thread for no longer than the most expensive one.
 */
export const runOnePerTick = (): ((work: () => void) => void) => {
  let queue: (() => void)[] = []
  let position = 0

  /** Drops finished tasks in batches: `shift` moves all the others each time. */
  const dropFinished = (): void => {
    if (position < queue.length && position < maxFinished) return
    queue = queue.slice(position)
    position = 0
  }

  const next = (): void => {
    const work = queue[position++]
    dropFinished()
    if (queue.length > 0) setImmediate(next)
    work?.()
  }

  return work => {
    if (queue.push(work) === 1) setImmediate(next)
  }
}
