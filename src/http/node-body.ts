// Bodies of requests that are answered on node:http itself.
import type { IncomingMessage } from 'node:http'
import { invalidJson } from './errors.ts'

/** The whole body, or null once it is over the limit; the rest is then left unread. Rejects if the client goes. */
export const readNodeBody = (request: IncomingMessage, limit: number): Promise<Buffer | null> => new Promise((resolve, reject) => {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else resolve(null)
  })
  request.on('end', () => resolve(chunks.length === 1 ? chunks[0] ?? null : Buffer.concat(chunks)))
  request.on('error', reject)
  request.on('close', () => {
    // Comes after each request; an error would look up where it was made.
    if (!request.complete) reject(new Error('the client has gone'))
  })
})

export const mediaType = (request: IncomingMessage): string => (request.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase()

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
