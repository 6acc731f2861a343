import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { maxBytes } from './download.ts'
import { FetchFailure } from './failure.ts'
import type { Address } from './request.ts'

/** Unpacks the downloaded file `part` to a database at `draft`. */
type Unpack = (part: string, draft: string, signal: AbortSignal) => Promise<void>

/** A vendor's archive contains a folder, licenses, a readme and the database. */
const maxEntries = 1000

/** A small archive can unpack to a full disk of zeros. */
const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new FetchFailure('broken', 'it unpacks to more than any city database')
    yield chunk
  }
}

/** Synced before it is closed, so that it is complete after a power cut once it has been renamed. */
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

/** A plain or gzip-compressed database. */
const unpackGzip: Unpack = async (part, draft, signal) => {
  if (await isGzip(part)) await pipeline(createReadStream(part), createGunzip(), bounded, writeTo(draft), { signal })
  else await pipeline(createReadStream(part), writeTo(draft), { signal })
}

/** Names in an archive are never used as paths: the content is written to the draft. */
const isDatabase = ({ header: { name, type = 'file' } }: ParsedTarEntry): boolean =>
  type === 'file' && /\.mmdb$/i.test(name)

const extractDatabases = async (
  entries: AsyncIterable<ParsedTarEntry>,
  draft: string,
  signal: AbortSignal,
): Promise<number> => {
  let [databases, count] = [0, 0]
  for await (const entry of entries) {
    if (++count > maxEntries) throw new FetchFailure('broken', 'the archive contains too many files')
    if (isDatabase(entry)) databases++
    if (!isDatabase(entry) || databases > 1) {
      // The entry is read to its end: cancel() would wait forever, because it waits for the next entry.
      for await (const _ of entry.body);
      continue
    }
    if (entry.header.size > maxBytes) throw new FetchFailure('broken', 'it unpacks to more than any city database')
    await pipeline(Readable.fromWeb(entry.body as ReadableStream<Uint8Array>), writeTo(draft), { signal })
  }
  return databases
}

/** The only database in a gzip-compressed tar archive. */
const unpackTar: Unpack = async (part, draft, signal) => {
  if (!(await isGzip(part))) throw new FetchFailure('broken', 'the downloaded file is not compressed with gzip')
  let databases = 0
  try {
    await pipeline(
      createReadStream(part),
      createGunzip(),
      bounded,
      async (bytes: AsyncIterable<Uint8Array>) => {
        const entries = ReadableStream.from(bytes).pipeThrough(
          createTarDecoder({ strict: true }) as never,
        ) as ReadableStream<ParsedTarEntry>
        databases = await extractDatabases(entries, draft, signal)
      },
      { signal },
    )
  } catch (error) {
    // Errors of the library have no code, unlike those of the disk.
    throw error instanceof FetchFailure || (error instanceof Error && 'code' in error)
      ? error
      : new FetchFailure('broken', 'the downloaded tar archive is damaged')
  }
  if (databases !== 1)
    throw new FetchFailure(
      'broken',
      databases === 0 ? 'the archive contains no .mmdb file' : 'the archive contains more than one .mmdb file',
    )
}

/** Where a database is downloaded from. */
export type Source = {
  /** Tried in order; the first that exists is used. */
  files: readonly Address[]
  /** The file with its SHA-256; null if the vendor provides none. */
  checksum: Address | null
  unpack: Unpack
}

/** The files of this month and the month before, because a new one is published some days late. */
export const urlsAt = (template: string, milliseconds: number): string[] => [
  ...new Set(
    [0, 1].map(back => {
      const date = new Date(milliseconds)
      date.setUTCDate(1)
      date.setUTCMonth(date.getUTCMonth() - back)
      return template
        .replaceAll('{year}', String(date.getUTCFullYear()))
        .replaceAll('{month}', String(date.getUTCMonth() + 1).padStart(2, '0'))
    }),
  ),
]

/** A hash, because it is stored in the database, which never contains an IP address: the host may be one. */
const nameOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 16)

/** The free database of the month. */
export const fallbackSource = (template: string, milliseconds: number): Source => ({
  files: urlsAt(template, milliseconds).map(url => ({ url, name: nameOf(url), authorization: null, secrets: [] })),
  checksum: null,
  unpack: unpackGzip,
})

const vendor = 'https://download.maxmind.com'
/** The two URLs of the vendor: with an account id and a key, or with a key alone. */
const byAccount = `${vendor}/geoip/databases/{edition}/download?suffix={suffix}`
const byKey = `${vendor}/app/geoip_download?edition_id={edition}&license_key={key}&suffix={suffix}`

/**
 * The licensed database. The setting is a key, or ACCOUNT:KEY.
 * A custom template may contain {key}; without it, account and key are sent by HTTP Basic.
 */
export const licensedSource = (setting: string, edition: string, template: string | null): Source => {
  const [, account = '', key = setting.trim()] = /^(\d{1,12}):(.+)$/.exec(setting.trim()) ?? []
  const pattern = template ?? (account === '' ? byKey : byAccount)
  const basic = btoa(String.fromCharCode(...new TextEncoder().encode(`${account}:${key}`)))
  const at = (suffix: string): Address => {
    const withoutKey = pattern.replaceAll('{edition}', edition).replaceAll('{suffix}', suffix)
    const keyInUrl = withoutKey.includes('{key}')
    return {
      name: nameOf(withoutKey),
      url: withoutKey.replaceAll('{key}', () => encodeURIComponent(key)),
      authorization: keyInUrl ? null : `Basic ${basic}`,
      secrets: [key, basic],
    }
  }
  return { files: [at('tar.gz')], checksum: at('tar.gz.sha256'), unpack: unpackTar }
}
