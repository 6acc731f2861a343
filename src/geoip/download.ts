import { createWriteStream, existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import * as v from 'valibot'
import { asFailure, FetchFailure } from './failure.ts'
import { request, type Address, type RequestOptions } from './request.ts'

/** One version of a file as the server identifies it: lets a download resume, and avoids downloading the same twice. */
export const versionSchema = v.object({
  name: v.string(),
  etag: v.nullable(v.string()),
  modified: v.nullable(v.string()),
  sha256: v.nullable(v.string()),
})
export type Version = v.InferOutput<typeof versionSchema>

/** No city database is larger. */
export const maxBytes = 512 * 2 ** 20
/** Milliseconds for one try; the partial file stays, and the next try resumes it. */
const maxDuration = 2 * 3_600_000

const versionPath = (part: string): string => `${part}.version`

export const forgetPart = (part: string): void => {
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

type Have = { bytes: number; headers: Record<string, string> }

const nothing: Have = { bytes: 0, headers: {} }

/** What an earlier try has left of this same file. */
const haveOf = (part: string, { name }: Address, sha256: string | null): Have => {
  const version = partVersion(part)
  const validator = version === null ? null : strongValidator(version)
  if (version === null || validator === null || version.name !== name || version.sha256 !== sha256) {
    forgetPart(part)
    return nothing
  }
  const bytes = statSync(part).size
  return bytes === 0 ? nothing : { bytes, headers: { range: `bytes=${bytes}-`, 'if-range': validator } }
}

const conditions = (known: Version | null, name: string): Record<string, string> =>
  known === null || known.name !== name
    ? {}
    : {
        ...(known.etag !== null && { 'if-none-match': known.etag }),
        ...(known.modified !== null && { 'if-modified-since': known.modified }),
      }

const count = (text: string | null | undefined): number | null =>
  text != null && /^\d{1,15}$/.test(text) ? Number(text) : null

/** The full size, if the server tells; an answer that does not continue where the partial file ends is refused. */
const totalOf = ({ status, headers }: Response, have: number): number | null => {
  if (status === 200) return count(headers.get('content-length'))
  const [, start, total] = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? []
  if (status === 206 ? count(start) !== have : count(total) !== have)
    throw new FetchFailure('broken', 'the server does not resume where the last try ended')
  return count(total)
}

/** The database of visits is on the same disk: a city database must not fill it. */
const checkDiskSpace = (part: string, total: number | null): void => {
  if (total !== null && total > maxBytes) throw new FetchFailure('broken', 'the file is larger than any city database')
  const { bavail, bsize } = statfsSync(dirname(part))
  const needed = 4 * (total ?? 0) + 2 ** 20
  if (bavail * bsize < needed)
    throw new FetchFailure(
      'disk',
      `the disk is too full: up to ${Math.ceil(needed / 2 ** 20)} MiB are needed, and ${Math.floor((bavail * bsize) / 2 ** 20)} MiB are left`,
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
  answer: Response,
  part: string,
  have: number,
  total: number | null,
  { timeout, signal }: RequestOptions,
  quiet: AbortController,
): Promise<void> => {
  const onTimeout = (): void => quiet.abort(new FetchFailure('later', 'the server stopped sending'))
  const timer = setTimeout(onTimeout, timeout)
  try {
    const body = Readable.fromWeb(answer.body as ReadableStream)
    await pipeline(
      body,
      bounded(have, () => timer.refresh()),
      createWriteStream(part, { flags: have > 0 ? 'a' : 'w', mode: 0o600 }),
      { signal: AbortSignal.any([signal, quiet.signal]) },
    )
  } finally {
    clearTimeout(timer)
  }
  if (total !== null && statSync(part).size < total) throw new FetchFailure('later', 'the server broke off')
}

type Options = {
  /** The version in use: if it is still the newest, nothing is fetched. */
  known: Version | null
  /** The expected checksum, if known. */
  sha256: string | null
}

/**
 * Downloads a file to `part`, and resumes an earlier try if it is still the same file.
 * @returns its version, or null if the known version is the newest
 * @throws FetchFailure; the reason of the signal if that is aborted
 */
export const download = async (
  address: Address,
  part: string,
  { known, sha256 }: Options,
  requestOptions: RequestOptions,
): Promise<Version | null> => {
  const quiet = new AbortController()
  const cut = AbortSignal.any([requestOptions.signal, quiet.signal])
  const end = setTimeout(() => quiet.abort(new FetchFailure('later', 'it takes longer than two hours')), maxDuration)
  try {
    const have = haveOf(part, address, sha256)
    const answer = await request(
      address,
      { ...conditions(known, address.name), ...have.headers },
      { ...requestOptions, signal: cut },
    )
    cut.throwIfAborted()
    const { status, headers } = answer
    if (status === 304) return null
    const going = status === 206 || status === 416 ? have.bytes : 0
    const total = totalOf(answer, going)
    const begun = going > 0 ? partVersion(part) : null
    if (status === 416) {
      await answer.body?.cancel()
      return begun
    }
    const version: Version = begun ?? {
      name: address.name,
      etag: headers.get('etag'),
      modified: headers.get('last-modified'),
      sha256,
    }
    if (answer.body === null) throw new FetchFailure('broken', 'the server sends nothing')
    if (going === 0) forgetPart(part)
    checkDiskSpace(part, total)
    // A content encoding is decoded on the way: bytes on disk are not those that a range would count.
    if (!headers.has('content-encoding')) writeFileSync(versionPath(part), JSON.stringify(version), { mode: 0o600 })
    await save(answer, part, going, headers.has('content-encoding') ? null : total, requestOptions, quiet)
    return version
  } catch (error) {
    requestOptions.signal.throwIfAborted()
    const failure = quiet.signal.aborted ? asFailure(quiet.signal.reason) : asFailure(error)
    if (failure.kind === 'broken' || failure.kind === 'disk') forgetPart(part)
    throw failure
  } finally {
    clearTimeout(end)
  }
}
