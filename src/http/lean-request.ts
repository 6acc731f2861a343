// Requests that know the names of headers again: node reads and looks each up anew, which was 4 % of a hit.
import { createServer, IncomingMessage, type IncomingHttpHeaders, type Server, type ServerOptions } from 'node:http'
import { remember } from '../memo.ts'

const namesAtHand = 200

/** A header's name in small letters, as the engine keeps names of properties: it would have to look for each text among them. */
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
