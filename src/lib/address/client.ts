import { copyString } from '../lru-cache.ts'
import type { AddressList } from './list.ts'
import { parseAddress } from './text.ts'

// Chains of proxies are short; entries further left were invented by the visitor.
const maxHops = 50

/** Finds the first untrusted address in `X-Forwarded-For` from the right, where trusted proxies append. */
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
 * from the right of `X-Forwarded-For`. Entries that a visitor sends are further left and have no effect.
 * `address` is `null` if a trusted proxy sends no usable address: header missing, `unknown`, or trusted proxies only.
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
