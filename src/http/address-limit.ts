import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { type AddressList, isV4, parseAddress, throttleKey, truncateAddress } from '../lib/address/list.ts'

/** Maximum simultaneous connections. */
export type AddressLimit = {
  /** Of an IPv4 address or an IPv6 /64; browsers keep six at most, so an office behind one address has enough. */
  client: number
  /** Of an IPv6 /48: one holder may have all of its 65,536 networks. */
  network: number
}

const defaultLimit: AddressLimit = { client: 1000, network: 4000 }

const keysOf = (
  address: string,
  { client, network }: AddressLimit,
): readonly (readonly [key: string, max: number])[] =>
  isV4(address)
    ? [[address, client]]
    : [
        [`${throttleKey(address)}/64`, client],
        [`${truncateAddress(address)}/48`, network],
      ]

/**
 * Closes connections beyond the limit of their address at once, so that one client cannot take all that the server
 * accepts. Trusted proxies carry the connections of many clients and have no limit of their own.
 */
export const limitByAddress = (
  server: Pick<EventEmitter, 'on'>,
  trusted: AddressList,
  limit: AddressLimit = defaultLimit,
): void => {
  const open = new Map<string, number>()
  const countOf = (key: string): number => open.get(key) ?? 0
  server.on('connection', (socket: Pick<Socket, 'remoteAddress' | 'destroy' | 'once'>) => {
    const address = parseAddress(socket.remoteAddress ?? '')
    if (address === null || trusted.has(address)) return
    const keys = keysOf(address, limit)
    if (keys.some(([key, max]) => countOf(key) >= max)) {
      socket.destroy()
      return
    }
    for (const [key] of keys) open.set(key, countOf(key) + 1)
    socket.once('close', () => {
      for (const [key] of keys) {
        const left = countOf(key) - 1
        if (left === 0) open.delete(key)
        else open.set(key, left)
      }
    })
  })
}
