import { ApiError, invalidJson, packedBody, tooLarge } from './errors.ts'
import { readParameters } from './parameters.ts'
import { createByteBuffer } from '../lib/byte-buffer.ts'

/** Bytes of a refused body that are still read: most clients read the answer only after sending the body. */
const maxDiscarded = 8 * 1024 * 1024
/** The platform's limit; deeper values would overflow the stack of recursive code. */
const maxDepth = 512

/** Reads the rest of a refused body without storing it, so that the client reads its answer. */
const discard = async (chunks: AsyncIterator<Uint8Array>): Promise<void> => {
  for (let left = maxDiscarded; left > 0; ) {
    const { done, value } = await chunks.next()
    if (done === true) return
    left -= value.byteLength
  }
  await chunks.return?.()
}

const timeout = (): ApiError => new ApiError(408, 'rest_request_timeout', 'The request body was not received in time.')

/** `over` rejects after some milliseconds; without a limit it never settles. */
const deadline = (milliseconds: number | undefined): { over: Promise<never>; clear: () => void } => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    if (milliseconds !== undefined) timer = setTimeout(() => reject(timeout()), milliseconds)
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

/** Compressed bodies are refused: a small one may expand to a huge one. */
export const isPacked = (encoding: string | null | undefined): boolean =>
  (encoding ?? 'identity').trim().toLowerCase() !== 'identity'

/**
 * The body's bytes. A Content-Length above the limit is refused at once; the bytes received are counted in any case.
 * @param milliseconds time limit of the body
 */
export const readBody = async (request: Request, limit: number, milliseconds?: number): Promise<Uint8Array> => {
  if (isPacked(request.headers.get('content-encoding'))) throw packedBody()
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  if (request.body === null) return new Uint8Array()
  const { over, clear } = deadline(milliseconds)
  return collect(request.body[Symbol.asyncIterator](), limit, over).finally(clear)
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

/** The parsed body by its content type; undefined for no body, and for types that the platform does not read. */
export const parseBody = (bytes: Uint8Array, contentType: string | null): unknown => {
  if (bytes.byteLength === 0) return undefined
  const type = (contentType ?? '').split(';', 1).join('').trim().toLowerCase()
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
