import { validateHeaderValue } from 'node:http'
import { Response } from '@whatwg-node/server'

/** A response before it is sent: the body as text (null for none), and headers in addition to the common ones. */
export type Reply = {
  status: number
  text: string | null
  /** Sent instead of the text: a file, whose headers come with it. */
  bytes?: Buffer<ArrayBuffer> | null
  headers?: Readonly<Record<string, string>>
  cookies?: readonly string[]
}

/** The properties of a request that determine the response's headers; available even when it fails early. */
export type Envelope = {
  requestId: string
  /** A HEAD request: the body is omitted. */
  head: boolean
  /** A POST with an overridden method: its client waits for as many bytes as content-length announces. */
  overridden: boolean
  /** Methods the caller may use on this route. */
  allow: readonly string[]
  /** The response must not be cached. */
  restricted: boolean
  /** Headers added by identification; appended, since one may be a second cookie. */
  extra: Headers
}

const bodyOf = ({ bytes = null, text }: Reply): Buffer<ArrayBuffer> | string | null => bytes ?? text

/** In lower case, so that an endpoint's own header replaces the common one. */
const headersOf = (reply: Reply, envelope: Envelope): Record<string, string> => {
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=UTF-8',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
    // Keeps a browser from rendering a response as a page.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-request-id': envelope.requestId,
  }
  const body = bodyOf(reply)
  if (body !== null)
    headers['content-length'] = String(envelope.head && envelope.overridden ? 0 : Buffer.byteLength(body))
  if (envelope.allow.length > 0) headers.allow = envelope.allow.join(', ')
  if (envelope.restricted) headers['cache-control'] = 'no-store'
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    validateHeaderValue(name, value)
    headers[name.toLowerCase()] = value
  }
  return headers
}

/**
 * The adapter is fastest with a plain object of headers, hence `Headers` only if identification adds some or there are
 * cookies. The endpoint's come last: its headers replace the others, and of two cookies a browser keeps the last.
 */
export const toResponse = (reply: Reply, envelope: Envelope): Response => {
  const plain = headersOf(reply, envelope)
  const { cookies = [] } = reply
  const added = [...envelope.extra]
  const headers = added.length + cookies.length === 0 ? plain : new Headers(added)
  if (headers instanceof Headers) {
    for (const [name, value] of Object.entries(plain)) headers.set(name, value)
    for (const cookie of cookies) headers.append('set-cookie', cookie)
  }
  return new Response(envelope.head ? null : bodyOf(reply), { status: reply.status, headers })
}
