// Requests whose headers cost less to read: browsers send the same names again and again, and node works each out anew.
import { createServer, IncomingMessage, type IncomingHttpHeaders, type Server, type ServerOptions } from 'node:http'
import { remember } from '../memo.ts'

const namesAtHand = 200

/** A header's name in small letters, as a property's name: any other text V8 would have to look for among those, at each use. */
const propertyName = remember(namesAtHand, name => Object.keys({ [name.toLowerCase()]: true })[0] ?? '')

const readByNode = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')?.get

/** Names and values in turn; browsers and proxies send some twenty pairs. */
const longest = 128

/** Null where node has rules of its own: for many, for a name that comes twice or that every object has, and for cookies to be set. */
const readPlain = (raw: readonly string[]): IncomingHttpHeaders | null => {
  if (raw.length > longest) return null
  const headers: IncomingHttpHeaders = {}
  for (let at = 0; at < raw.length; at += 2) {
    const name = propertyName(raw[at] ?? '')
    if (headers[name] !== undefined || name === 'set-cookie') return null
    headers[name] = raw[at + 1]
  }
  return headers
}

/** A class, since node makes requests by `new`. */
class LeanRequest extends IncomingMessage {
  known: IncomingHttpHeaders | null = null
}

// Not in the class: for its type, node's headers are no accessor.
Object.defineProperty(LeanRequest.prototype, 'headers', {
  configurable: true,
  get(this: LeanRequest): IncomingHttpHeaders {
    return this.known ??= readPlain(this.rawHeaders) ?? readByNode?.call(this)
  },
  set(this: LeanRequest, headers: IncomingHttpHeaders) {
    this.known = headers
  },
})

/** A server as node makes it; its requests have the same headers, sooner. */
export const createLeanServer = (options: ServerOptions): Server =>
  createServer(readByNode === undefined ? options : { ...options, IncomingMessage: LeanRequest })
