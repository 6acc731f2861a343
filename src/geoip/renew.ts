import { createHash } from 'node:crypto'
import { errorText } from '../lib/errors.ts'
import { closeSync, createReadStream, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openGeo, type GeoReader } from './reader.ts'
import { download, forgetPart, type Version } from './download.ts'
import { asFailure, FetchFailure } from './failure.ts'
import { requestText, type Address, type RequestOptions } from './request.ts'
import type { Source } from './sources.ts'

const maxChecksumBytes = 4096

const fetchChecksum = async (address: Address, requestOptions: RequestOptions): Promise<string> => {
  const found = /^\s*([0-9a-f]{64})\b/i.exec(await requestText(address, maxChecksumBytes, requestOptions))?.[1]
  if (found === undefined) throw new FetchFailure('broken', 'the file with the checksum holds none')
  return found.toLowerCase()
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

/** Opens a database and looks addresses up in it: only a working city database may be installed. */
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
    throw new FetchFailure('broken', `the database holds no cities; its type is ${JSON.stringify(geo.type)}`)
  const places = geo.sample().map(geo.lookup)
  if (geo.failures() > 0) throw new FetchFailure('broken', 'the database is damaged: a look-up in it fails')
  if (places.every(({ country }) => country === null)) throw new FetchFailure('broken', 'the database knows no address')
  return geo
}

const syncFolder = (path: string): void => {
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Unpacks and checks what was downloaded, and renames it to its final path as the last step. */
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
      throw new FetchFailure('broken', 'the file does not have the checksum that the server gives')
    await unpack(part, draft, signal)
    const geo = await check(draft)
    signal.throwIfAborted()
    renameSync(draft, target)
    syncFolder(target)
    return geo
  } finally {
    rmSync(draft, { force: true })
    // Complete, and useless if it failed: the next try starts over. Only a stop leaves what can be resumed.
    if (!signal.aborted) forgetPart(part)
  }
}

/** Removes a downloaded database, and the partial file of the next. */
export const forgetDatabase = (target: string): void => {
  forgetPart(`${target}.part`)
  for (const path of [`${target}.new`, target]) rmSync(path, { force: true })
}

/**
 * Downloads a database, checks it, and puts it at `target`; the current one stays as it is until then.
 * @returns the database, opened, and its version; null if the current one is the newest
 * @throws FetchFailure with a reason that holds no secret; the signal's reason when that is aborted
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
