import { createWriteStream, existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import * as v from 'valibot'
import { asFailure, FetchFailure } from './failure.ts'
import { type Address, type RequestOptions, request } from './request.ts'

/** A version of a file, as identified by the server: used to resume a download and to skip an unchanged file. */
export const versionSchema = v.object({
  name: v.string(),
  etag: v.nullable(v.string()),
  modified: v.nullable(v.string()),
  sha256: v.nullable(v.string()),
})
export type Version = v.InferOutput<typeof versionSchema>

/** Larger than any city database. */
export const maxBytes = 512 * 2 ** 20
/** Milliseconds for one attempt; the partial file stays, and the next attempt resumes it. */
const maxDuration = 2 * 3_600_000

const versionPath = (part: string): string => `${part}.version`

export const removePart = (part: string): void => {
  rmSync(part, { force: true })
  rmSync(versionPath(part), { force: true })
}

/** The version of the partial file; null if there is none, or its version is unknown. */
const partVersion = (part: string): Version | null => {
  try {
    return existsSync(part) ? v.parse(versionSchema, JSON.parse(readFileSync(versionPath(part), 'utf8'))) : null
  } catch {
    return null
  }
}

/** Only a strong validator may join two parts. */
const strongValidator = ({ etag, modified }: Version): string | null =>
  etag !== null && !etag.startsWith('W/') ? etag : modified

type PartialDownload = { bytes: number; headers: Record<string, string> }

const noPart: PartialDownload = { bytes: 0, headers: {} }

/** The part of the same file that an earlier attempt has downloaded, and the headers that resume it. */
const findPart = (part: string, { name }: Address, sha256: string | null): PartialDownload => {
  const version = partVersion(part)
  const validator = version === null ? null : strongValidator(version)
  if (version === null || validator === null || version.name !== name || version.sha256 !== sha256) {
    removePart(part)
    return noPart
  }
  const bytes = statSync(part).size
  return bytes === 0 ? noPart : { bytes, headers: { range: `bytes=${bytes}-`, 'if-range': validator } }
}

const conditions = (known: Version | null, name: string): Record<string, string> =>
  known === null || known.name !== name
    ? {}
    : {
        ...(known.etag !== null && { 'if-none-match': known.etag }),
        ...(known.modified !== null && { 'if-modified-since': known.modified }),
      }

const parseCount = (text: string | null | undefined): number | null =>
  text != null && /^\d{1,15}$/.test(text) ? Number(text) : null

/** The total size, if known. Throws if the response does not continue at the end of the partial file. */
const totalOf = ({ status, headers }: Response, have: number): number | null => {
  if (status === 200) return parseCount(headers.get('content-length'))
  const [, start, total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? []
  if (status === 206 ? parseCount(start) !== have : parseCount(total) !== have)
    throw new FetchFailure('broken', 'the server does not resume at the end of the partial file')
  return parseCount(total)
}

/** The analytics database is on the same disk, which a city database must not fill. */
const checkDiskSpace = (part: string, total: number | null): void => {
  if (total !== null && total > maxBytes) throw new FetchFailure('broken', 'the file is larger than any city database')
  const { bavail, bsize } = statfsSync(dirname(part))
  const needed = 4 * (total ?? 0) + 2 ** 20
  if (bavail * bsize < needed)
    throw new FetchFailure(
      'disk',
      `there is not enough disk space: up to ${Math.ceil(needed / 2 ** 20)} MiB are needed, ` +
        `and ${Math.floor((bavail * bsize) / 2 ** 20)} MiB are free`,
    )
}

const bounded = (bytes: number, onChunk: () => void) =>
  async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      onChunk()
      bytes += chunk.length
      if (bytes > maxBytes) throw new FetchFailure('broken', 'the file is larger than any city database')
      yield chunk
    }
  }

const save = async (
  response: Response,
  part: string,
  have: number,
  total: number | null,
  { timeout, signal }: RequestOptions,
  stalled: AbortController,
): Promise<void> => {
  const onTimeout = (): void => stalled.abort(new FetchFailure('later', 'the server stopped sending'))
  const timer = setTimeout(onTimeout, timeout)
  try {
    const body = Readable.fromWeb(response.body as ReadableStream)
    await pipeline(
      body,
      bounded(have, () => timer.refresh()),
      createWriteStream(part, { flags: have > 0 ? 'a' : 'w', mode: 0o600 }),
      { signal: AbortSignal.any([signal, stalled.signal]) },
    )
  } finally {
    clearTimeout(timer)
  }
  if (total !== null && statSync(part).size < total) throw new FetchFailure('later', 'the connection was closed early')
}

type Options = {
  /** The version in use: if it is still the newest, nothing is downloaded. */
  known: Version | null
  /** The expected checksum, if known. */
  sha256: string | null
}

/**
 * Downloads a file to `part`, and resumes an earlier attempt if the file has not changed.
 * @returns its version, or null if the known version is the newest
 * @throws FetchFailure, or the signal's reason if it is aborted
 */
export const download = async (
  address: Address,
  part: string,
  { known, sha256 }: Options,
  requestOptions: RequestOptions,
): Promise<Version | null> => {
  const stalled = new AbortController()
  const signal = AbortSignal.any([requestOptions.signal, stalled.signal])
  const end = setTimeout(() => stalled.abort(new FetchFailure('later', 'it took longer than two hours')), maxDuration)
  try {
    const partial = findPart(part, address, sha256)
    const response = await request(
      address,
      { ...conditions(known, address.name), ...partial.headers },
      { ...requestOptions, signal },
    )
    signal.throwIfAborted()
    const { status, headers } = response
    if (status === 304) return null
    const offset = status === 206 || status === 416 ? partial.bytes : 0
    const total = totalOf(response, offset)
    const resumed = offset > 0 ? partVersion(part) : null
    if (status === 416) {
      await response.body?.cancel()
      return resumed
    }
    const version: Version = resumed ?? {
      name: address.name,
      etag: headers.get('etag'),
      modified: headers.get('last-modified'),
      sha256,
    }
    if (response.body === null) throw new FetchFailure('broken', 'the response is empty')
    if (offset === 0) removePart(part)
    checkDiskSpace(part, total)
    // fetch() decodes a content encoding, so the bytes on disk do not match those of a range.
    if (!headers.has('content-encoding')) writeFileSync(versionPath(part), JSON.stringify(version), { mode: 0o600 })
    await save(response, part, offset, headers.has('content-encoding') ? null : total, requestOptions, stalled)
    return version
  } catch (error) {
    requestOptions.signal.throwIfAborted()
    const failure = stalled.signal.aborted ? asFailure(stalled.signal.reason) : asFailure(error)
    if (failure.kind === 'broken' || failure.kind === 'disk') removePart(part)
    throw failure
  } finally {
    clearTimeout(end)
  }
}
