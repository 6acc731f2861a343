import { createByteBuffer } from '../lib/byte-buffer.ts'
import type { BodyPlace } from './body-places.ts'
import { ApiError, compressedBody, invalidJson, tooLarge } from './errors.ts'

export type Values = Readonly<Record<string, unknown>>

const bracketed = /^([^[]+)\[([^\]]*)\]/

/** A list if all keys are numeric (`a[]`, `a[0]`), else an object (`a[k]`). */
const assemble = (members: ReadonlyMap<string, string>): unknown => {
  const keys = [...members.keys()]
  return keys.every(key => /^\d+$/.test(key)) ? [...members.values()] : Object.fromEntries(members)
}

/**
 * Parses a query string or form as PHP does: `a=1&a=2` is 2, `a[]=1` a list, `a[k]=1` an object. Deeper levels of
 * nesting are ignored. The result has no prototype, so that keys such as `__proto__` are harmless.
 */
export const readParameters = (pairs: Iterable<readonly [string, string]>): Values => {
  const values = new Map<string, string | Map<string, string>>()
  for (const [key, value] of pairs) {
    const [, name, member] = bracketed.exec(key) ?? []
    if (name === undefined || member === undefined) {
      values.set(key, value)
      continue
    }
    const existing = values.get(name)
    const members = existing instanceof Map ? existing : new Map<string, string>()
    values.set(name, members.set(member === '' ? String(members.size) : member, value))
  }
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of values) result[name] = value instanceof Map ? assemble(value) : value
  return result
}

/** Maximum bytes read of a refused body: most clients read the response only after sending the whole body. */
const maxDiscarded = 8 * 1024 * 1024
/** The platform's limit; deeper values would overflow the stack of recursive code. */
const maxDepth = 512

/** Reads the rest of a refused body without storing it, so that the client reads its response. */
const discard = async (chunks: AsyncIterator<Uint8Array>): Promise<void> => {
  for (let left = maxDiscarded; left > 0; ) {
    const { done, value } = await chunks.next()
    if (done === true) return
    left -= value.byteLength
  }
  await chunks.return?.()
}

const incomplete = (): ApiError =>
  new ApiError(400, 'rest_request_incomplete', 'The request ended before its body was complete.')

const collect = async (chunks: AsyncIterator<Uint8Array>, limit: number, place?: BodyPlace): Promise<Uint8Array> => {
  const body = createByteBuffer(limit)
  // The next chunk of a slow body may never come: what has been received is freed at once.
  place?.signal.addEventListener('abort', body.take)
  for (;;) {
    const { done, value } = await chunks.next().catch(() => {
      throw incomplete()
    })
    place?.signal.throwIfAborted()
    if (done === true) return body.take()
    if (body.size() + value.length > limit) {
      discard(chunks).catch(() => {
        /* The client disconnected after its response was sent. */
      })
      throw tooLarge(limit)
    }
    body.add(value)
    place?.hold(body.size())
  }
}

/** Rejects when the place is lost. One wait per body: racing each chunk would keep memory for each. */
const collectInPlace = (chunks: AsyncIterator<Uint8Array>, limit: number, place: BodyPlace): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    place.signal.addEventListener('abort', () => reject(place.signal.reason))
    collect(chunks, limit, place).finally(place.leave).then(resolve, reject)
  })

/** Compressed bodies are refused: a small one can expand to a huge one. */
export const isCompressed = (encoding: string | null | undefined): boolean =>
  (encoding ?? 'identity').trim().toLowerCase() !== 'identity'

/**
 * Reads the body. A Content-Length above the limit is refused at once; received bytes are always counted.
 * @param enter takes a place among the bodies that are received at a time
 */
export const readBody = async (request: Request, limit: number, enter?: () => BodyPlace): Promise<Uint8Array> => {
  if (isCompressed(request.headers.get('content-encoding'))) throw compressedBody()
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  if (request.body === null) return new Uint8Array()
  const chunks = request.body[Symbol.asyncIterator]()
  return enter === undefined ? collect(chunks, limit) : collectInPlace(chunks, limit, enter())
}

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(member => isDeeperThan(member, levels - 1)))

const readText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidJson('Malformed UTF-8 characters, possibly incorrectly encoded', 5)
  }
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson()
  }
}

/** The media type of a Content-Type header in lower case, without parameters; empty without a header. */
export const mediaTypeOf = (contentType: string | null | undefined): string =>
  (contentType ?? '').split(';', 1).join('').trim().toLowerCase()

/** Parses the body by its content type; undefined without a body, and for types that the platform ignores. */
export const parseBody = (bytes: Uint8Array, contentType: string | null): unknown => {
  if (bytes.byteLength === 0) return undefined
  const type = mediaTypeOf(contentType)
  if (/^application\/([\w.-]+\+)?json$/.test(type)) {
    const value = readJson(readText(bytes))
    if (isDeeperThan(value, maxDepth)) throw invalidJson('Maximum stack depth exceeded', 1)
    return value
  }
  if (type === '' || type === 'application/x-www-form-urlencoded') {
    return readParameters(new URLSearchParams(new TextDecoder().decode(bytes)))
  }
  return undefined
}
