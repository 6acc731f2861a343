import { createByteBuffer } from './byte-buffer.ts'

const lineFeed = 0x0a

/** A line without its line feed; null in place of one that is longer than the limit. */
export type TextLine = string | null

/**
 * Splits UTF-8 text at line feeds only. Other separators, such as U+2028, may be part of a line: node:readline splits
 * there too, and collects a line of any length. The last line may have no line feed.
 * @param limit bytes of a line. A longer one is given as null at once, and its rest is read over.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<TextLine> {
  const line = createByteBuffer(limit)
  let tooLong = false
  for await (const chunk of chunks) {
    for (let start = 0, end = 0; end >= 0; start = end + 1) {
      end = chunk.indexOf(lineFeed, start)
      const part = chunk.subarray(start, end < 0 ? chunk.length : end)
      if (!tooLong && line.size() + part.length > limit) {
        tooLong = true
        line.take()
        yield null
      }
      if (!tooLong) line.add(part)
      if (end < 0) continue
      if (!tooLong) yield line.take().toString()
      tooLong = false
    }
  }
  if (line.size() > 0) yield line.take().toString()
}
