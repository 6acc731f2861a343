import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Handler } from './server.ts'

/** In requests of the WordPress plugin: 32 hexadecimal digits, new for each request. */
export const idHeader = 'x-footfall-request'
/** In answers to them, for each secret that the service shares with a platform: HMAC-SHA256 in hexadecimal, by commas. */
const signatureHeader = 'x-footfall-signature'

const sign = (secret: Uint8Array, id: string, status: number, body: Buffer): string =>
  createHmac('sha256', secret).update(`footfall-answer\n${id}\n${status}\n`).update(body).digest('hex')

/** Keeps an answer until it is whole, then sends it with what `headersFor` makes of it. */
const holdBack = (
  response: ServerResponse,
  headersFor: (status: number, body: Buffer) => Record<string, string>,
): void => {
  const { writeHead, write, end } = response
  const chunks: Buffer[] = []
  let head: Parameters<ServerResponse['writeHead']> | null = null
  const add = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const callbackIn = (values: readonly unknown[]): (() => void) | undefined =>
    values.find((value): value is () => void => typeof value === 'function')
  Object.assign(response, {
    writeHead: (...values: Parameters<ServerResponse['writeHead']>) => {
      head = values
      return response
    },
    write: (chunk: unknown, ...values: unknown[]) => {
      add(chunk, typeof values[0] === 'string' ? values[0] : undefined)
      callbackIn(values)?.()
      return true
    },
    end: (...values: unknown[]) => {
      add(values[0], typeof values[1] === 'string' ? values[1] : undefined)
      Object.assign(response, { writeHead, write, end })
      const body = Buffer.concat(chunks)
      for (const [name, value] of Object.entries(headersFor(head?.[0] ?? response.statusCode, body)))
        response.setHeader(name, value)
      if (head !== null) response.writeHead(...head)
      return response.end(body, callbackIn(values))
    },
  })
}

/**
 * Signs what the WordPress plugin asks for by the secret that both have, so that it shows nothing of whoever else may
 * listen at the address. What is signed has no other meaning: tokens are of another form.
 */
export const signAnswers =
  (secrets: () => readonly Uint8Array[]): Handler =>
  (request, response) => {
    const id = request.headers[idHeader]
    if (typeof id === 'string' && /^[0-9a-f]{32}$/.test(id))
      holdBack(response, (status, body) => ({
        [signatureHeader]:
          secrets()
            .map(secret => sign(secret, id, status, body))
            .join(',') || 'none',
      }))
    return false
  }
