import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { isIPv6, type AddressInfo, type Server as NetServer } from 'node:net'
import { boundConnections } from './connections.ts'
import type { LeanRequest } from './lean-request.ts'
import { createLeanServer, type LeanResponse, type LeanServer } from './lean-server.ts'

/** Milliseconds after which slow and silent clients are let go: nothing that we take needs longer. */
export const patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** How often the first two are looked after. */
  connectionsCheckingInterval: 2000,
  /**
   * Without a byte either way, while nothing is being worked out; proxies keep a connection for a minute. Node's own
   * `keepAliveTimeout` would be one more timer, made and taken away for each request.
   */
  timeout: 65_000,
}
/** Milliseconds before that time until which a client is told that it may send its next request: that one takes a while to come. */
const margin = 1000
const headerLimit = 16 * 1024
/** Each takes some 7 KiB while it is silent, and a descriptor that the database may need. */
const mostConnections = 10_000

/** A handler that says whether it took the request. */
export type Handler = (request: LeanRequest, response: LeanResponse) => boolean

/** Ids that tell answers apart in a log; they need not be secret. */
export const createRequestIds = (): (() => string) => {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

/** Gives each request to the first handler that takes it; the last one takes all. */
export const createHttpServer = (handlers: readonly Handler[], { timeout, ...times } = patience): LeanServer => {
  const promised = Math.max(timeout - margin, 0)
  const server = createLeanServer(
    { ...times, keepAliveTimeout: 0, maxHeaderSize: headerLimit },
    (request, response) => {
      response._keepAliveTimeout = promised
      if (admits(request, response)) handlers.some(handle => handle(request, response))
    },
  )
  const admits = boundConnections(server)
  server.maxConnections = mostConnections
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

const idleCheck = 50
const farewell = 5000

/**
 * Ends requests under way and then all connections. A kept-alive one turns idle only after its answer, so that is
 * looked for again; a client that never comes to the end of its request is cut off.
 */
export const closeServer = (
  server: NetServer & Pick<Server, 'closeIdleConnections' | 'closeAllConnections'>,
): Promise<void> =>
  new Promise(resolve => {
    const idle = setInterval(() => server.closeIdleConnections(), idleCheck)
    const last = setTimeout(() => server.closeAllConnections(), farewell)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(last)
      resolve()
    })
    server.closeIdleConnections()
  })
