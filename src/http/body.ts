import { ApiError, invalidJson, packedBody, tooLarge } from './errors.ts'
import { readParameters } from './parameters.ts'
import { createByteBuffer } from '../lib/byte-buffer.ts'

/** What an over-long body may still send before the connection is cut: an answer before the end needs a polite reader. */
const patience = 8 * 1024 * 1024
/** The platform's limit; deeper values would overflow the stack of whoever walks them. */
const depth = 512

/** Reads the rest of a refused body without keeping it, so that the client gets to read its answer. */
const discard = async (chunks: AsyncIterator<Uint8Array>): Promise<void> => {
  for (let left = patience; left > 0; ) {
    const { done, value } = await chunks.next()
    if (done === true) return
    left -= value.byteLength
  }
  await chunks.return?.()
}

const late = (): ApiError => new ApiError(408, 'rest_request_timeout', 'The request body was not received in time.')

/** `over` rejects when the time is; without a limit it never settles. */
const deadline = (milliseconds: number | undefined): { over: Promise<never>; clear: () => void } => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    if (milliseconds !== undefined) timer = setTimeout(() => reject(late()), milliseconds)
  })
  return { over, clear: () => clearTimeout(timer) }
}

const collect = async (chunks: AsyncIterator<Uint8Array>, limit: number, over: Promise<never>): Promise<Uint8Array> => {
  const body = createByteBuffer(limit)
  for (;;) {
    const { done, value } = await Promise.race([
      over,
      chunks.next().catch(() => {
        throw new ApiError(400, 'rest_request_incomplete', 'The request ended before its body was complete.')
      }),
    ])
    if (done === true) return body.take()
    if (body.size() + value.length > limit) {
      discard(chunks).catch(() => {
        /* The client has gone; it has had its answer. */
      })
      throw tooLarge(limit)
    }
    body.add(value)
  }
}

/** A packed body is refused: a small one may unpack to a huge one. */
export const isPacked = (encoding: string | null | undefined): boolean =>
  (encoding ?? 'identity').trim().toLowerCase() !== 'identity'

/**
 * The body's bytes. A length announced too large is refused at once, and what comes is counted whatever was announced.
 * @param milliseconds that the body may take
 */
export const readBody = async (request: Request, limit: number, milliseconds?: number): Promise<Uint8Array> => {
  if (isPacked(request.headers.get('content-encoding'))) throw packedBody()
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  if (request.body === null) return new Uint8Array()
  const { over, clear } = deadline(milliseconds)
  return collect(request.body[Symbol.asyncIterator](), limit, over).finally(clear)
}

const deeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(member => deeper(member, levels - 1)))

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

/** What the body holds by its content type; undefined for none, and for types the platform does not read. */
export const parseBody = (bytes: Uint8Array, contentType: string | null): unknown => {
  if (bytes.byteLength === 0) return undefined
  const type = (contentType ?? '').split(';', 1).join('').trim().toLowerCase()
  if (/^application\/([\w.-]+\+)?json$/.test(type)) {
    const value = readJson(readText(bytes))
    if (deeper(value, depth)) throw invalidJson('Maximum stack depth exceeded', 1)
    return value
  }
  if (type === '' || type === 'application/x-www-form-urlencoded') {
    return readParameters(new URLSearchParams(new TextDecoder().decode(bytes)))
  }
  return undefined
}
