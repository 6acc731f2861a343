import { createHash } from 'node:crypto'
import type { TextLine } from '../lib/split-lines.ts'
import type { Format } from './line.ts'
import { linesOf, maxLine, type Source } from './source.ts'
import { createSpan, type IsTaken, type LogSpan } from './taken-logs.ts'

/**
 * A recording's number of lines, first time, first line out of order, and the hash that identifies its content.
 * `firstNew` is the time of the first line that was not imported before, `span` what is noted of the recording.
 */
export type Order = {
  fingerprint: string
  lines: number
  first: number | null
  firstNew: number | null
  outOfOrder: number | null
  span: LogSpan | null
}

/**
 * Reads only the times, before anything is imported: an unsorted recording is refused as a whole.
 * @param progress receives the share of the file that has been read
 */
export const checkOrder = async (
  source: Source,
  { timeOf, tolerance }: Format,
  isTaken: IsTaken,
  progress: (share: number, lines: number) => void,
): Promise<Order> => {
  const hash = createHash('sha256')
  const order: Order = { fingerprint: '', lines: 0, first: null, firstNew: null, outOfOrder: null, span: null }
  const span = createSpan()
  let newest = 0
  let bytesRead = 0
  const onRead = (bytes: Buffer): void => {
    bytesRead += bytes.length
    progress(bytesRead / source.bytes, order.lines)
  }
  // A log and its gzip are the same recording.
  const lines = linesOf(source, maxLine, onRead, bytes => hash.update(bytes))
  for await (const text of lines) {
    order.lines += 1
    const at = text === null ? null : timeOf(text)
    if (text === null || at === null) continue
    order.first ??= at
    if (!isTaken(text, at)) order.firstNew ??= at
    span.add(text, at)
    if (at < newest - tolerance) order.outOfOrder ??= order.lines
    newest = Math.max(newest, at)
  }
  return { ...order, fingerprint: hash.digest('hex'), span: span.span() }
}

/** Sorts lines by time, in memory. A line without a time stays after the preceding one. */
export const sortLines = async (lines: AsyncIterable<TextLine>, { timeOf }: Format): Promise<TextLine[]> => {
  const timed: { text: TextLine; at: number }[] = []
  for await (const text of lines)
    timed.push({ text, at: (text === null ? null : timeOf(text)) ?? timed.at(-1)?.at ?? 0 })
  return timed.sort((a, b) => a.at - b.at).map(({ text }) => text)
}
