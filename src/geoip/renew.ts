import { createHash } from 'node:crypto'
import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorText } from '../lib/errors.ts'
import { sync } from '../lib/sync.ts'
import { download, removePart, type Version } from './download.ts'
import { asFailure, FetchFailure } from './failure.ts'
import { type GeoReader, openGeo } from './reader.ts'
import { type Address, type RequestOptions, requestText } from './request.ts'
import type { Source } from './sources.ts'

const maxChecksumBytes = 4096

const fetchChecksum = async (address: Address, requestOptions: RequestOptions): Promise<string> => {
  const checksum = /^\s*([0-9a-f]{64})\b/i.exec(await requestText(address, maxChecksumBytes, requestOptions))?.[1]
  if (checksum === undefined) throw new FetchFailure('broken', 'the checksum file contains no checksum')
  return checksum.toLowerCase()
}

const checksumOf = async (path: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk)
  return hash.digest('hex')
}

const downloadFirst = async (
  files: readonly Address[],
  part: string,
  known: Version | null,
  sha256: string | null,
  requestOptions: RequestOptions,
): Promise<Version | null> => {
  for (const [index, file] of files.entries()) {
    try {
      return await download(file, part, { known, sha256 }, requestOptions)
    } catch (error) {
      if (!(error instanceof FetchFailure) || error.kind !== 'missing' || index === files.length - 1) throw error
    }
  }
  return null
}

/** Opens a database and looks up addresses: only a working city database may be installed. */
const check = async (draft: string): Promise<GeoReader> => {
  let geo: GeoReader
  try {
    geo = openGeo(await readFile(draft))
  } catch (error) {
    throw error instanceof Error && 'code' in error
      ? error
      : new FetchFailure('broken', errorText(error).replace(/\.$/, ''))
  }
  if (geo.kind !== 'city')
    throw new FetchFailure('broken', `the database contains no cities; its type is ${JSON.stringify(geo.type)}`)
  const places = geo.sample().map(geo.lookup)
  if (geo.failures() > 0) throw new FetchFailure('broken', 'the database is damaged: a lookup fails')
  if (places.every(({ country }) => country === null))
    throw new FetchFailure('broken', 'the database contains no addresses')
  return geo
}

/** Unpacks and checks a downloaded file, and renames it to its final path as the last step. */
const install = async (
  { unpack }: Source,
  part: string,
  target: string,
  sha256: string | null,
  signal: AbortSignal,
): Promise<GeoReader> => {
  const draft = `${target}.new`
  try {
    if (sha256 !== null && (await checksumOf(part, signal)) !== sha256)
      throw new FetchFailure('broken', 'the file does not match its checksum')
    await unpack(part, draft, signal)
    const geo = await check(draft)
    signal.throwIfAborted()
    renameSync(draft, target)
    sync(dirname(target))
    return geo
  } finally {
    rmSync(draft, { force: true })
    // The file is complete, so it is useless if a check failed; only a cancelled installation can be resumed.
    if (!signal.aborted) removePart(part)
  }
}

/** Removes a downloaded database, and the partial file of the next version. */
export const removeDatabase = (target: string): void => {
  removePart(`${target}.part`)
  for (const path of [`${target}.new`, target]) rmSync(path, { force: true })
}

/**
 * Downloads a database, checks it, and moves it to `target`; the current one stays until then.
 * @returns the opened database and its version; null if the current one is the newest
 * @throws FetchFailure with a reason without secrets, or the signal's reason if it is aborted
 */
export const renew = async (
  source: Source,
  target: string,
  known: Version | null,
  requestOptions: RequestOptions,
): Promise<{ geo: GeoReader; version: Version } | null> => {
  const part = `${target}.part`
  const inUse = existsSync(target) ? known : null
  try {
    const sha256 = source.checksum === null ? null : await fetchChecksum(source.checksum, requestOptions)
    if (sha256 !== null && sha256 === inUse?.sha256) return null
    const version = await downloadFirst(source.files, part, sha256 === null ? inUse : null, sha256, requestOptions)
    return version === null
      ? null
      : { geo: await install(source, part, target, sha256, requestOptions.signal), version }
  } catch (error) {
    requestOptions.signal.throwIfAborted()
    throw asFailure(error)
  }
}
