// Bodies of requests that are answered on node:http itself.
import { invalidJson } from './errors.ts'
import type { LeanRequest } from './lean-request.ts'
import { createByteBuffer } from '../lib/byte-buffer.ts'

/**
 * Gives `done` the whole body, or null as soon as it is over the limit; nothing is kept of the rest. If the client goes,
 * `done` is never called: nobody waits for an answer. (By callback: a promise would cost more than reading most bodies.)
 */
export const readNodeBody = (request: LeanRequest, limit: number, done: (body: Buffer | null) => void): void => {
  const body = createByteBuffer(limit)
  let isOver = false
  request.receive(chunk => {
    if (isOver) return
    if (chunk === null) return done(body.take())
    isOver = body.size() + chunk.length > limit
    if (!isOver) return body.add(chunk)
    body.take()
    done(null)
  })
}

export const mediaType = (request: LeanRequest): string => {
  const header = request.get('content-type') ?? ''
  const end = header.indexOf(';')
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase()
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
