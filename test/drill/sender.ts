import { Agent, request as open } from 'node:http'
import { firefox } from '../support/service.ts'

export type Endpoint = 'hit' | 'event' | 'engagement'

/** One request of a visitor, which can be sent again as it is. */
export type Sent = { endpoint: Endpoint; visitor: number; body: Record<string, unknown>; userAgent?: string }

/** Gives the status, or 0 where the connection ended without one. */
export type Send = (sent: Sent) => Promise<number>

let count = 0

/** A /24 is one visitor; within it each request has an address of its own, so that none is throttled. */
const addressOf = (visitor: number): string => `11.${7 + (visitor >> 8)}.${visitor & 255}.${(count++ % 254) + 1}`

/** Kept-alive connections to a service. */
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
      const sent = open(`${url}/analytics/v1/${endpoint}`, { method: 'POST', agent, headers }, response => {
        response
          .resume()
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', () => resolve(0))
      })
      sent.on('error', () => resolve(0))
      sent.end(text)
    })
  return { send, close: () => agent.destroy() }
}
