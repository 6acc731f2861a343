import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { bytesOf, type Source } from '../source.ts'

const unpacked = (source: Source, seen: (bytes: number) => void): Readable => {
  const bytes = bytesOf(source)
  bytes.on('data', (chunk: Buffer) => seen(chunk.length))
  // Errors surface where the stream is read.
  return source.packed ? pipeline(bytes, createGunzip(), () => {}) : bytes
}

/**
 * The lines exactly as in the file, without their line breaks; the last one may have none.
 * @throws an error of zlib where the file is cut off or damaged
 */
export async function* exactLines(source: Source, seen: (bytes: number) => void = () => {}): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of unpacked(source, seen)) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.end()
  if (rest !== '') yield rest
}
