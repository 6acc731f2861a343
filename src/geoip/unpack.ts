import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { maxBytes } from './download.ts'
import { FetchFailure } from './failure.ts'

/** Makes a plain database at `draft` of what was fetched to `part`. */
export type Unpack = (part: string, draft: string, signal: AbortSignal) => Promise<void>

/** A vendor's archive holds a folder, licences, a read-me and the database. */
const maxEntries = 1000

/** A few KB can be packed so that they unpack to a disk full of zeros. */
const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new FetchFailure('broken', 'it unpacks to more than any city database')
    yield chunk
  }
}

/** On the disk before it is closed: only then it may take a name that is read after a power cut. */
const writeTo = (draft: string) => createWriteStream(draft, { mode: 0o600, flush: true })

const isGzip = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

/** A database as it is, or packed with gzip. */
export const unpackGzip: Unpack = async (part, draft, signal) => {
  if (await isGzip(part)) await pipeline(createReadStream(part), createGunzip(), bounded, writeTo(draft), { signal })
  else await pipeline(createReadStream(part), writeTo(draft), { signal })
}

/** Names in an archive are never used as paths: whatever they say, the bytes go to the draft. */
const isDatabase = ({ header: { name, type = 'file' } }: ParsedTarEntry): boolean =>
  type === 'file' && /\.mmdb$/i.test(name)

const takeDatabase = async (
  entries: AsyncIterable<ParsedTarEntry>,
  draft: string,
  signal: AbortSignal,
): Promise<number> => {
  let [found, seen] = [0, 0]
  for await (const entry of entries) {
    if (++seen > maxEntries)
      throw new FetchFailure('broken', 'the archive holds more files than any of a city database')
    if (isDatabase(entry)) found++
    if (!isDatabase(entry) || found > 1) {
      // Read to its end: waiting for cancel() would wait for ever, as that waits for the next entry.
      for await (const _ of entry.body);
      continue
    }
    if (entry.header.size > maxBytes) throw new FetchFailure('broken', 'it unpacks to more than any city database')
    await pipeline(Readable.fromWeb(entry.body as ReadableStream<Uint8Array>), writeTo(draft), { signal })
  }
  return found
}

/** The one database in an archive of tar and gzip. */
export const unpackTar: Unpack = async (part, draft, signal) => {
  if (!(await isGzip(part))) throw new FetchFailure('broken', 'what came is not packed with gzip')
  let found = 0
  try {
    await pipeline(
      createReadStream(part),
      createGunzip(),
      bounded,
      async (bytes: AsyncIterable<Uint8Array>) => {
        const entries = ReadableStream.from(bytes).pipeThrough(
          createTarDecoder({ strict: true }) as never,
        ) as ReadableStream<ParsedTarEntry>
        found = await takeDatabase(entries, draft, signal)
      },
      { signal },
    )
  } catch (error) {
    // The library's own errors have no code, and those of the disk do.
    throw error instanceof FetchFailure || (error instanceof Error && 'code' in error)
      ? error
      : new FetchFailure('broken', 'what came is no sound tar archive')
  }
  if (found !== 1)
    throw new FetchFailure(
      'broken',
      found === 0 ? 'the archive holds no .mmdb file' : 'the archive holds more than one .mmdb file',
    )
}
