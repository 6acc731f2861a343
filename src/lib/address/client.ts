import { copyString } from '../lru-cache.ts'
import type { AddressList } from './list.ts'
import { parseAddress } from './text.ts'

// A chain of proxies is short; what stands further left is the visitor's own invention.
const maxHops = 50

/** Reads `X-Forwarded-For` from the right, where trusted proxies write, up to the first address that is none of them. */
const firstUntrusted = (header: string, trusted: AddressList): string | null => {
  let end = header.length
  for (let hop = 0; hop < maxHops; hop++) {
    const start = end === 0 ? 0 : header.lastIndexOf(',', end - 1) + 1
    const entry = header.slice(start, end).trim()
    const address = parseAddress(entry)
    if (entry !== '' && (address === null || !trusted.has(address)))
      return address === null || address === header ? address : copyString(address)
    if (start === 0) return null
    end = start - 1
  }
  return null
}

/**
 * The visitor's address: the socket's, or, when that is a trusted proxy (`viaProxy`), the first untrusted one
 * from the right of `X-Forwarded-For`. Whatever a visitor writes into that header ends up left of it and moves nothing.
 * `address` is `null` when a trusted proxy names no usable address: header missing, `unknown`, or trusted proxies only.
 */
export const clientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: AddressList,
): { address: string | null; viaProxy: boolean } => {
  const socket = socketAddress === undefined ? null : parseAddress(socketAddress)
  if (socket === null || !trusted.has(socket)) return { address: socket, viaProxy: false }
  return { address: forwardedFor === undefined ? null : firstUntrusted(forwardedFor, trusted), viaProxy: true }
}
