import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { LeanServer } from './lean-server.ts'

/** Browsers send one request after the other, proxies as well; more at once on one connection are a flood. */
const mostUnderWay = 32

/**
 * Bounds what one connection can cost: it is cut off with too many requests under way, and when nobody fetches its
 * answers (`server.timeout`). An answer that is still being made keeps its connection, however long that takes.
 * @returns whether a request may be served
 */
export const boundConnections = (
  server: LeanServer,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const loads = new WeakMap<Socket, { underWay: number }>()
  const loadOf = (socket: Socket): { underWay: number } => {
    const known = loads.get(socket)
    if (known !== undefined) return known
    const load = { underWay: 0 }
    loads.set(socket, load)
    return load
  }
  server.on('timeout', socket => {
    if (loadOf(socket).underWay === 0 || socket.writableLength > 0) socket.destroy()
  })
  return ({ socket }, response) => {
    const load = loadOf(socket)
    if (load.underWay >= mostUnderWay) {
      socket.destroy()
      return false
    }
    load.underWay += 1
    // It comes once.
    response.on('close', () => {
      load.underWay -= 1
    })
    return true
  }
}
