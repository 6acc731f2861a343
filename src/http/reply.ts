import { validateHeaderValue } from 'node:http'
import { Response } from '@whatwg-node/server'

/** What goes out: the body as text (null for none) and headers beside those of every answer. */
export type Reply = { status: number; text: string | null; headers?: Readonly<Record<string, string>> }

/** What the router knows of the request when it answers, however far it came. */
export type Envelope = {
  requestId: string
  /** HEAD: everything but the body. */
  head: boolean
  /** Sent as POST with the method overridden: then the client waits for whatever length is announced. */
  overridden: boolean
  /** Methods the caller may use on this route. */
  allow: readonly string[]
  /** No cache may keep the answer. */
  restricted: boolean
  /** Added by identification; appended, as it may be a second cookie. */
  extra: Headers
}

/** Lower case, so that an endpoint's own header replaces the one of every answer. */
const headersOf = (reply: Reply, envelope: Envelope): Record<string, string> => {
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=UTF-8',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
    // Opened in a browser, an answer is text and no page.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-request-id': envelope.requestId,
  }
  if (reply.text !== null)
    headers['content-length'] = String(envelope.head && envelope.overridden ? 0 : Buffer.byteLength(reply.text))
  if (envelope.allow.length > 0) headers.allow = envelope.allow.join(', ')
  if (envelope.restricted) headers['cache-control'] = 'no-store'
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    validateHeaderValue(name, value)
    headers[name.toLowerCase()] = value
  }
  return headers
}

/**
 * A plain object of headers is written fastest by the adapter, hence `Headers` only where identification adds some.
 * The endpoint's own come after those: its header replaces one, and of two cookies a browser keeps the last.
 */
export const toResponse = (reply: Reply, envelope: Envelope): Response => {
  const plain = headersOf(reply, envelope)
  const added = [...envelope.extra]
  const headers = added.length === 0 ? plain : new Headers(added)
  if (headers instanceof Headers) {
    for (const [name, value] of Object.entries(plain)) headers[name === 'set-cookie' ? 'append' : 'set'](name, value)
  }
  return new Response(envelope.head ? null : reply.text, { status: reply.status, headers })
}
