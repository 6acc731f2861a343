import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers send one request after the other, proxies as well; more at once on one connection are a flood. */
const mostUnderWay = 32

/**
 * Bounds what one connection can cost: it is cut off with too many requests under way, and when nobody fetches its
 * answers (`server.timeout`). An answer that is still being made keeps its connection, however long that takes.
 * @returns whether a request may be served
 */
export const boundConnections = (server: Server): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const underWay = new WeakMap<Socket, number>()
  server.on('timeout', socket => {
    if ((underWay.get(socket) ?? 0) === 0 || socket.writableLength > 0) socket.destroy()
  })
  return ({ socket }, response) => {
    const count = underWay.get(socket) ?? 0
    if (count >= mostUnderWay) {
      socket.destroy()
      return false
    }
    underWay.set(socket, count + 1)
    response.once('close', () => { underWay.set(socket, (underWay.get(socket) ?? 1) - 1) })
    return true
  }
}
