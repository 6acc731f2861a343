import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { bytesOf, type Source } from '../source.ts'

const unpacked = (source: Source, onRead: (bytes: number) => void): Readable => {
  const bytes = bytesOf(source)
  bytes.on('data', (chunk: Buffer) => onRead(chunk.length))
  // Errors surface where the stream is read.
  return source.packed ? pipeline(bytes, createGunzip(), () => {}) : bytes
}

/**
 * The lines exactly as in the file, without their line breaks; the last one may have none.
 * @throws an error of zlib if the file is truncated or damaged
 */
export async function* exactLines(source: Source, onRead: (bytes: number) => void = () => {}): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let partial = ''
  for await (const chunk of unpacked(source, onRead)) {
    const lines = (partial + decoder.write(chunk)).split('\n')
    partial = lines.pop() ?? ''
    yield* lines
  }
  partial += decoder.end()
  if (partial !== '') yield partial
}
