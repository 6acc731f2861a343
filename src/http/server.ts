import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIPv6, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'

/** Milliseconds after which slow and silent clients are disconnected: nothing that we accept needs longer. */
export const defaultTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** How often the first two are checked. */
  connectionsCheckingInterval: 2000,
  /** Without a byte in either direction, while no request is being worked on; proxies keep a connection for a minute. */
  timeout: 65_000,
  /** Between two requests. Clients are told of it, and node waits a second longer. */
  keepAliveTimeout: 64_000,
}
const maxHeaderBytes = 16 * 1024
/** Each takes some 7 KiB while it is silent, and a descriptor that the database may need. */
const maxConnections = 10_000
/** Browsers and proxies send one request after the other; more at once on one connection are a flood. */
const maxRequestsUnderWay = 32

/** A handler that says whether it took the request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => boolean

/** Ids that tell answers apart in a log; they need not be secret. */
export const createRequestIds = (): (() => string) => {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

/**
 * Limits what one connection can cost: it is closed with too many requests under way, and when nobody fetches its
 * answers (`server.timeout`). An answer that is still being made keeps its connection, however long that takes.
 * @returns whether a request may be served
 */
const limitConnections = (server: Server): Handler => {
  const underWay = new WeakMap<Socket, number>()
  const countOf = (socket: Socket): number => underWay.get(socket) ?? 0
  server.on('timeout', socket => {
    if (countOf(socket) === 0 || socket.writableLength > 0) socket.destroy()
  })
  return ({ socket }, response) => {
    if (countOf(socket) >= maxRequestsUnderWay) {
      socket.destroy()
      return false
    }
    underWay.set(socket, countOf(socket) + 1)
    response.once('close', () => underWay.set(socket, countOf(socket) - 1))
    return true
  }
}

/** Gives each request to the first handler that takes it; the last one takes all. */
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

/** Listens, and gives the address to open. Rejects with the system's error, such as EADDRINUSE. */
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
const closeTimeout = 5000

/**
 * Lets requests under way finish, then closes all connections. A kept-alive one turns idle only after its answer, so
 * idle ones are looked for repeatedly; a client that never finishes its request is disconnected.
 */
export const closeServer = (
  server: NetServer & Pick<Server, 'closeIdleConnections' | 'closeAllConnections'>,
): Promise<void> =>
  new Promise(resolve => {
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckInterval)
    const last = setTimeout(() => server.closeAllConnections(), closeTimeout)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(last)
      resolve()
    })
    server.closeIdleConnections()
  })
