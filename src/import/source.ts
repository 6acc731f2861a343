// Reads bytes and lines from a file or standard input. Gzip is detected.
import { randomBytes } from 'node:crypto'
import { closeSync, createWriteStream, fstatSync, openSync, read, readSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline as pipe, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { splitLines, type TextLine } from '../lib/split-lines.ts'

/** A source that can be read more than once. */
export type Source = { file: number; bytes: number; packed: boolean }

/** The longest line, in bytes, of recorded requests and logs; of orders and archives, whose orders may be long. */
export const maxLine = 2 ** 20
export const maxDocument = 16 * 2 ** 20

/** The reason why a line or document is refused. */
export const tooLong = (limit: number): string => `longer than ${limit / 2 ** 20} MiB`

const chunkSize = 256 * 1024
const readAt = promisify(read)

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

/** Receives the bytes of a file as they are read, before decompression. */
export type OnRead = (bytes: Buffer) => void

/** Unlike a stream of node:fs, it leaves the file open for the caller when its reader stops early. */
async function* readChunks(file: number, onRead: OnRead): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(chunkSize)
    const { bytesRead } = await readAt(file, buffer, 0, chunkSize, position)
    if (bytesRead === 0) return
    position += bytesRead
    const bytes = buffer.subarray(0, bytesRead)
    onRead(bytes)
    yield bytes
  }
}

/** The unpacked bytes in chunks. Reading them throws an error of zlib if the file is truncated or damaged. */
export const bytesOf = ({ file, packed }: Source, onRead: OnRead = () => {}): AsyncIterable<Buffer> => {
  const chunks = readChunks(file, onRead)
  // Errors surface where the stream is read.
  return packed ? pipe(Readable.from(chunks, { objectMode: false }), createGunzip(), () => {}) : chunks
}

/** Whether an error says that a gzip file is truncated or damaged. */
export const isZlib = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))

/** The first characters of the text. */
export const beginningOf = ({ file, packed }: Source): string => {
  const bytes = Buffer.alloc(4096)
  const start = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  return (packed ? gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH }) : start).toString()
}

async function* passOn(chunks: AsyncIterable<Buffer>, onBytes: OnRead): AsyncGenerator<Buffer> {
  for await (const bytes of chunks) {
    onBytes(bytes)
    yield bytes
  }
}

/**
 * The lines exactly as in the file, without their line feeds.
 * @param onUnpacked receives the bytes after decompression
 */
export const linesOf = (
  source: Source,
  limit: number,
  onRead?: OnRead,
  onUnpacked?: OnRead,
): AsyncGenerator<TextLine> => {
  const bytes = bytesOf(source, onRead)
  return splitLines(onUnpacked === undefined ? bytes : passOn(bytes, onUnpacked), limit)
}
