// Bodies of requests that are answered on node:http itself.
import { append } from './body.ts'
import { invalidJson } from './errors.ts'
import type { LeanRequest } from './lean-request.ts'

const nothing: Buffer = Buffer.alloc(0)

/**
 * Gives `done` the whole body, or null as soon as it is over the limit; nothing is kept of the rest. If the client goes,
 * `done` is never called: nobody waits for an answer. (By callback: a promise would cost more than reading most bodies.)
 */
export const readNodeBody = (request: LeanRequest, limit: number, done: (body: Buffer | null) => void): void => {
  let bytes = nothing
  let size = 0
  request.receive(chunk => {
    if (size > limit) return
    if (chunk === null) return done(bytes.subarray(0, size))
    const before = size
    size += chunk.length
    // Most bodies come in one piece.
    if (size <= limit) bytes = before === 0 ? chunk : append(bytes, before, chunk, limit)
    else {
      bytes = nothing
      done(null)
    }
  })
}

export const mediaType = (request: LeanRequest): string => {
  const header = request.get('content-type') ?? ''
  const end = header.indexOf(';')
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase()
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * As the platform does, a body that is no object is taken for one without any fields.
 * @throws ApiError if it is no JSON
 */
export const parseObject = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return isRecord(value) ? value : {}
  } catch {
    throw invalidJson()
  }
}
