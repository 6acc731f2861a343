import { createWriteStream, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

/** The server has no such file. */
export class MissingFile extends Error {}

const patience = 30_000
const mostBytes = 512 * 2 ** 20

/** What has come so far belongs to this version of the file. */
const tagPath = (part: string): string => `${part}.tag`

const rangeOf = (part: string): Record<string, string> => {
  if (!existsSync(part) || !existsSync(tagPath(part))) return {}
  return { range: `bytes=${statSync(part).size}-`, 'if-range': readFileSync(tagPath(part), 'utf8') }
}

export const forgetPart = (part: string): void => {
  rmSync(part, { force: true })
  rmSync(tagPath(part), { force: true })
}

/** Ends what sends nothing for a while; a slow line may take its time. */
const limited = (body: ReadableStream, stop: () => void): Readable => {
  let bytes = 0
  const stream = Readable.fromWeb(body)
  let timer = setTimeout(stop, patience)
  stream.on('data', (chunk: Buffer) => {
    clearTimeout(timer)
    timer = setTimeout(stop, patience)
    bytes += chunk.length
    if (bytes > mostBytes) stream.destroy(new Error('the file is larger than any city database'))
  })
  stream.on('close', () => clearTimeout(timer))
  return stream
}

/**
 * Fetches a file to `part`, and goes on where an earlier try has ended if it is still the same file.
 * @throws MissingFile for 404, another Error with a reason otherwise
 */
export const download = async (url: string, part: string): Promise<void> => {
  const control = new AbortController()
  const stop = (): void => control.abort(new Error('the server sends nothing'))
  const opening = setTimeout(stop, patience)
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity', ...rangeOf(part) }, signal: control.signal }).finally(() => clearTimeout(opening))
  if (answer.status === 404) throw new MissingFile('the server has no such file')
  if (answer.status === 416) {
    forgetPart(part)
    throw new Error('what was fetched before does not fit; the next try begins anew')
  }
  if (!answer.ok || answer.body === null) throw new Error(`the server answers ${answer.status}`)
  const goesOn = answer.status === 206
  const tag = answer.headers.get('etag') ?? answer.headers.get('last-modified')
  if (!goesOn) forgetPart(part)
  if (tag !== null && !tag.startsWith('W/')) writeFileSync(tagPath(part), tag, { mode: 0o600 })
  await pipeline(limited(answer.body as ReadableStream, stop), createWriteStream(part, { flags: goesOn ? 'a' : 'w', mode: 0o600 }))
}
