// Reads lines from a file or standard input. Gzip is detected.
import { randomBytes } from 'node:crypto'
import { closeSync, createReadStream, createWriteStream, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, gunzipSync } from 'node:zlib'

/** A source that can be read more than once. */
export type Source = { file: number; bytes: number; packed: boolean }

const isGzip = (file: number): boolean => {
  const start = Buffer.alloc(2)
  return readSync(file, start, 0, 2, 0) === 2 && start[0] === 0x1f && start[1] === 0x8b
}

const fromDescriptor = (file: number): Source => ({ file, bytes: fstatSync(file).size, packed: isGzip(file) })

export const openFile = (path: string): Source => fromDescriptor(openSync(path, 'r'))

/** Copies standard input, which can be read only once, into an unlinked file next to the database. */
export const spool = async (input: Readable, database: string): Promise<Source> => {
  const path = join(dirname(database), `.footfall-${randomBytes(12).toString('hex')}`)
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  await pipeline(input, createWriteStream('', { fd: file, autoClose: false }))
  return fromDescriptor(file)
}

export const closeSource = ({ file }: Source): void => closeSync(file)

export const bytesOf = ({ file }: Source): Readable =>
  createReadStream('', { fd: file, start: 0, autoClose: false, highWaterMark: 256 * 1024 })

/** Receives the bytes of a file as they are read, before decompression. */
export type OnRead = (bytes: Buffer) => void

/** The text in chunks, independent of the length of its lines. */
export const chunksOf = (source: Source, onRead: OnRead = () => {}): AsyncIterable<string> => {
  const bytes = bytesOf(source)
  bytes.on('data', onRead)
  const text = bytes.pipe(source.packed ? createGunzip() : new PassThrough()).setEncoding('utf8')
  bytes.on('error', error => text.destroy(error))
  // A reader that stops early leaves the file open for the caller.
  return text.iterator({ destroyOnReturn: false })
}

/** The first characters of the text. */
export const beginningOf = ({ file, packed }: Source): string => {
  const bytes = Buffer.alloc(4096)
  const start = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  return (packed ? gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH }) : start).toString()
}

/** The lines of the text. */
export const linesOf = (source: Source, onRead: OnRead = () => {}): AsyncIterable<string> => {
  const bytes = bytesOf(source)
  bytes.on('data', onRead)
  return createInterface({ input: source.packed ? bytes.pipe(createGunzip()) : bytes, crlfDelay: Infinity })
}
