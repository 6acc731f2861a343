// Requests that cost less than node's: hits come in numbers, and most of their time goes into reading them.
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { layoutOf, type HeaderLayout } from './header-layout.ts'

const headersOfNode = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')?.get
const endedOfNode = Object.getOwnPropertyDescriptor(Readable.prototype, 'readableEnded')?.get

/** A class, since node makes requests by `new`. */
export class LeanRequest extends IncomingMessage {
  /** Whether node has given it to a handler. */
  handedOver = false
  /** Node's word for a request whose body is read. */
  declare _consuming: boolean
  #layout: HeaderLayout | null | undefined = undefined
  #headers: IncomingHttpHeaders | null = null
  #take: ((chunk: Buffer | null) => void) | null = null

  /** One header by its name in small letters, without all others being made properties; the first where it came twice. */
  get(name: string): string | undefined {
    const layout = this.layout()
    if (layout !== null) {
      const at = layout.places.get(name)
      return at === undefined ? undefined : this.rawHeaders[at]
    }
    const value = Object.hasOwn(this.headers, name) ? this.headers[name] : undefined
    return Array.isArray(value) ? value[0] : value
  }

  /**
   * Gives the body as it comes, and null at its end: a stream's buffer, events and ticks would take longer than most bodies.
   * Called when the request is handed over, before any of it has come.
   */
  receive(take: (chunk: Buffer | null) => void): void {
    this.#take = take
    this._consuming = true
  }

  /** Node gives it the body by this. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#take === null) return super.push(chunk, encoding)
    this.#take(chunk)
    return true
  }

  layout(): HeaderLayout | null {
    return this.#layout === undefined ? this.#layout = layoutOf(this.rawHeaders) : this.#layout
  }

  /** Before it hands a request of HTTP/1.1 over, node looks only whether it has a host and expects anything. */
  readHeaders(): IncomingHttpHeaders {
    if (this.#headers !== null) return this.#headers
    const layout = this.layout()
    if (layout === null) return this.#headers = headersOfNode?.call(this)
    if (!this.handedOver && this.httpVersion === '1.1') return layout.blank
    const headers: IncomingHttpHeaders = {}
    for (const [name, at] of layout.places) headers[name] = this.rawHeaders[at]
    return this.#headers = headers
  }

  replaceHeaders(headers: IncomingHttpHeaders): void {
    this.#headers = headers
  }

  hasEnded(): boolean {
    return this.#take === null ? endedOfNode?.call(this) : this.complete
  }
}

// Not in the class: for its type, they are no accessors.
Object.defineProperties(LeanRequest.prototype, {
  headers: {
    configurable: true,
    get(this: LeanRequest): IncomingHttpHeaders {
      return this.readHeaders()
    },
    set(this: LeanRequest, headers: IncomingHttpHeaders) {
      this.replaceHeaders(headers)
    },
  },
  readableEnded: {
    configurable: true,
    get(this: LeanRequest): boolean {
      return this.hasEnded()
    },
  },
})
