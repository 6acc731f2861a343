import type { IncomingMessage } from 'node:http'
import { clientAddress } from '../lib/address/client.ts'
import type { AddressList } from '../lib/address/list.ts'

/** Who a request comes from, as far as the connection and trusted proxies tell. */
export type Client = {
  address: string | null
  /** Scheme and host as the client sees them; null unless a trusted proxy tells. */
  origin: string | null
}

/** What node knows of a request that the adapter has made a Request of. */
const nodeRequest = (serverContext: unknown): IncomingMessage | null =>
  typeof serverContext === 'object' && serverContext !== null && 'req' in serverContext
    ? (serverContext.req as IncomingMessage)
    : null

const originOf = ({ headers }: IncomingMessage): string | null => {
  const protocol = headers['x-forwarded-proto']?.toString().split(',', 1)[0]?.trim()
  if (headers.host === undefined || (protocol !== 'https' && protocol !== 'http')) return null
  return URL.parse(`${protocol}://${headers.host}`)?.origin ?? null
}

export const clientOf = (serverContext: unknown, trusted: AddressList): Client => {
  const node = nodeRequest(serverContext)
  const { address, viaProxy } = clientAddress(
    node?.socket.remoteAddress,
    node?.headers['x-forwarded-for']?.toString(),
    trusted,
  )
  return { address, origin: node !== null && viaProxy ? originOf(node) : null }
}
