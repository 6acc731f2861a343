import { Agent, request as httpRequest } from 'node:http'
import { firefox } from '../support/service.ts'

export type Endpoint = 'hit' | 'event' | 'engagement'

/** A request of a visitor, which can be repeated unchanged. */
export type CollectionRequest = {
  endpoint: Endpoint
  visitor: number
  body: Record<string, unknown>
  userAgent?: string
}

/** Resolves with the status, or 0 if the connection ended without a response. */
export type Send = (request: CollectionRequest) => Promise<number>

let count = 0

/** A /24 is one visitor; each request has another address within it, so that none is throttled. */
const addressOf = (visitor: number): string => `11.${7 + (visitor >> 8)}.${visitor & 255}.${(count++ % 254) + 1}`

/** Keep-alive connections to a service. */
export const createSender = (url: string, connections: number): { send: Send; close: () => void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send: Send = ({ endpoint, visitor, body, userAgent = firefox }) =>
    new Promise(resolve => {
      const text = JSON.stringify(body)
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'user-agent': userAgent,
        'x-forwarded-for': addressOf(visitor),
      }
      const outgoing = httpRequest(`${url}/analytics/v1/${endpoint}`, { method: 'POST', agent, headers }, response => {
        response
          .resume()
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', () => resolve(0))
      })
      outgoing.on('error', () => resolve(0))
      outgoing.end(text)
    })
  return { send, close: () => agent.destroy() }
}
