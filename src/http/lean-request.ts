// Requests that cost less than node's: hits come in numbers, and most of their time goes into reading them.
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { layoutOf, type HeaderLayout } from './header-layout.ts'
import { createByteBuffer, type ByteBuffer } from '../lib/byte-buffer.ts'

const getterOf = <Value>(prototype: object, name: string): ((this: object) => Value) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get
  if (get === undefined)
    throw new Error(`This version of Node has no getter of ${name}: requests cannot be read by it.`)
  return get
}
const headersOfNode = getterOf<IncomingHttpHeaders>(IncomingMessage.prototype, 'headers')
const endedOfNode = getterOf<boolean>(Readable.prototype, 'readableEnded')

/** Bytes that are handed over at once; fewer wait for those that came with them. */
const enough = 4096

/** A class, since node makes requests by `new`. */
export class LeanRequest extends IncomingMessage {
  /** Whether node has given it to a handler. */
  handedOver = false
  /** Node's word for a request whose body is read. */
  declare _consuming: boolean
  #layout: HeaderLayout | null | undefined = undefined
  #headers: IncomingHttpHeaders | null = null
  #take: ((chunk: Buffer | null) => void) | null = null
  /** What has come of the body before the stream was asked for it, which would keep each piece by itself. */
  #waiting: ByteBuffer | null = null
  #isAsked = false
  #later: NodeJS.Immediate | null = null

  /** One header by its name in small letters as node has it, without all others being made properties; of set-cookie the first. */
  get(name: string): string | undefined {
    const layout = this.layout()
    if (layout !== null) {
      const at = layout.get(name)
      return at === undefined ? undefined : this.rawHeaders[at]
    }
    const value = Object.hasOwn(this.headers, name) ? this.headers[name] : undefined
    return Array.isArray(value) ? value[0] : value
  }

  /**
   * Gives the body as it comes, and null at its end: a stream's buffer, events and ticks would take longer than most bodies.
   * Of the stream's events none comes any more but `error` and `close`, when the client goes before its answer.
   * @throws when not called as the request is handed over: by then some of the body may have come
   */
  receive(take: (chunk: Buffer | null) => void): void {
    if (this.#waiting !== null) throw new Error('The body of a request has come before somebody took it.')
    this.#take = take
    this._consuming = true
  }

  /** Node gives it the body by this. */
  override push(chunk: Buffer | null): boolean {
    if (this.#take !== null) {
      this.#take(chunk)
      return true
    }
    const waiting = (this.#waiting ??= createByteBuffer())
    // Its end makes the request complete.
    if (chunk !== null) waiting.add(chunk)
    if (this.#isAsked) this.#handSoon(waiting)
    return waiting.size() < this.readableHighWaterMark
  }

  override _read(size: number): void {
    super._read(size)
    this.#isAsked = true
    if (this.#waiting !== null) this.#hand(this.#waiting)
  }

  #handSoon(waiting: ByteBuffer): void {
    if (this.complete || waiting.size() >= enough) this.#hand(waiting)
    else
      this.#later ??= setImmediate(() => {
        this.#later = null
        if (this.#isAsked) this.#hand(waiting)
      })
  }

  #hand(waiting: ByteBuffer): void {
    if (waiting.size() === 0 && !this.complete) return
    this.#isAsked = false
    if (waiting.size() > 0) super.push(waiting.take())
    if (this.complete) super.push(null)
  }

  layout(): HeaderLayout | null {
    return this.#layout === undefined ? (this.#layout = layoutOf(this.rawHeaders)) : this.#layout
  }

  /** Before it hands a request of HTTP/1.1 over, node looks only whether it has a host; whether it expects anything, no layout has. */
  readHeaders(): IncomingHttpHeaders {
    if (this.#headers !== null) return this.#headers
    const layout = this.layout()
    if (layout === null) return (this.#headers = headersOfNode.call(this))
    if (!this.handedOver && this.httpVersion === '1.1') return { host: this.get('host') }
    const headers: IncomingHttpHeaders = {}
    for (const [name, at] of layout) headers[name] = this.rawHeaders[at]
    return (this.#headers = headers)
  }

  hasEnded(): boolean {
    return this.#take === null ? endedOfNode.call(this) : this.complete
  }
}

// Not in the class: for its type, they are no accessors.
Object.defineProperties(LeanRequest.prototype, {
  headers: {
    configurable: true,
    get(this: LeanRequest): IncomingHttpHeaders {
      return this.readHeaders()
    },
  },
  readableEnded: {
    configurable: true,
    get(this: LeanRequest): boolean {
      return this.hasEnded()
    },
  },
})
