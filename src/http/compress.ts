// Answers of the API are gzipped for clients that take that: figures shrink to a fifth, which phones notice.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Envelope, Reply } from './reply.ts'
import { idHeader } from './signature.ts'
import { takes } from './static.ts'

const zip = promisify(gzip)

/** Bytes below which an answer is one packet anyway. */
const least = 1024

/**
 * Only what no cache keeps, which would have to keep it twice; and not for the WordPress plugin, whose platform unzips
 * an answer before the plugin can check its signature.
 */
export const compressed = async (
  reply: Reply,
  { head, restricted, request: { headers } }: Envelope & { request: Request },
): Promise<Reply> => {
  const { status, text, bytes = null } = reply
  if (head || !restricted || status !== 200 || bytes !== null || text === null || text.length < least) return reply
  if (headers.has(idHeader) || !takes(headers.get('accept-encoding') ?? '', 'gzip')) return reply
  return { ...reply, bytes: await zip(text), headers: { ...reply.headers, 'content-encoding': 'gzip' } }
}
