import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { AddressList } from '../lib/address/list.ts'
import { limitByAddress } from './address-limit.ts'
import { closeServer, createHttpServer, type Handler, listen } from './server.ts'
import { listenAtSocket } from './socket.ts'

/** What listens, apart from what answers: it stays open while the service behind it starts again. */
export type Door = {
  /** Passes requests on to these handlers, those that wait as well. */
  serve: (handlers: readonly Handler[]) => void
  /** Listens, unless it does so already. @returns its URL; rejects with the system's error, such as EADDRINUSE */
  open: (at: { host: string; port: number; listen: string | null }) => Promise<string>
  /** Lets running requests finish; those that come later wait to be served. */
  hold: () => Promise<void>
  /** Lets running requests finish, and closes all connections. */
  close: () => Promise<void>
}

const checkInterval = 20
/** Five seconds of checks, as when the server closes: a client that never finishes its request is disconnected. */
const checks = 250

/** @param trusted proxies, whose connections are not limited by address */
export const createDoor = (trusted: AddressList): Door => {
  let handlers: readonly Handler[] | null = null
  let url: string | null = null
  const running = new Set<ServerResponse>()
  const waiting = new Map<ServerResponse, () => void>()

  const receive: Handler = (request, response) => {
    if (handlers === null) {
      waiting.set(response, () => receive(request, response))
      response.once('close', () => waiting.delete(response))
      return true
    }
    running.add(response)
    response.once('close', () => running.delete(response))
    return handlers.some(handle => handle(request, response))
  }
  const [server, neighbours] = [createHttpServer([receive]), createHttpServer([receive])]
  limitByAddress(server, trusted)

  return {
    serve: given => {
      handlers = given
      const received = [...waiting.values()]
      waiting.clear()
      for (const pass of received) pass()
    },
    open: async at => {
      if (url !== null) return url
      const opened = await listen(server, at.host, at.port)
      if (at.listen !== null) await listenAtSocket(neighbours, at.listen)
      url = opened
      return opened
    },
    hold: async () => {
      handlers = null
      for (let left = checks; running.size > 0 && left > 0; left--) await setTimeout(checkInterval)
      for (const response of running) response.destroy()
    },
    close: async () => {
      for (const response of waiting.keys()) response.destroy()
      await Promise.all([server, neighbours].map(closeServer))
    },
  }
}
