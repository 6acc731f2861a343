import { createHash } from 'node:crypto'
import type { TextLine } from '../lib/split-lines.ts'
import type { Format } from './line.ts'
import { linesOf, maxLine, type Source } from './source.ts'
import { createSpan, type IsTaken, type LogSpan } from './taken-logs.ts'

/** A file of a recording, with its name for messages. */
export type RecordingFile = { name: string; source: Source }

/**
 * A recording's files in the order of their times, its number of lines, first time, first line out of order, and the
 * hash that identifies its content. `firstNew` is the time of the first line that was not imported before, `last` the
 * latest, `span` what is noted of the recording, `repeated` the names of files that are the same as others.
 */
export type Order = {
  files: readonly RecordingFile[]
  repeated: readonly string[]
  fingerprint: string
  lines: number
  first: number | null
  firstNew: number | null
  last: number | null
  outOfOrder: { file: string; line: number } | null
  span: LogSpan | null
}

/** What is found out of one file. */
type Read = { file: RecordingFile; fingerprint: string; lines: number; first: number | null; outOfOrder: number | null }

const least = (one: number | null, other: number): number => Math.min(one ?? other, other)

/** The content of a recording of one file is that of the file; the order in which files are named makes no difference. */
const fingerprintOf = (reads: readonly Read[]): string => {
  const [one, ...others] = reads.map(({ fingerprint }) => fingerprint)
  if (one === undefined || others.length === 0) return one ?? ''
  return createHash('sha256')
    .update([one, ...others].sort().join())
    .digest('hex')
}

/** By their first lines; a file without times, which is empty or unreadable, is first. */
const byTime = (one: Read, other: Read): number =>
  (one.first ?? 0) - (other.first ?? 0) || (one.fingerprint < other.fingerprint ? -1 : 1)

/**
 * Reads only the times, before anything is imported: an unsorted recording is refused as a whole. The files may be in
 * any order, each is sorted by time.
 * @param until lines from this second on are no part of what is noted
 * @param progress receives the share of the files that has been read
 */
export const checkOrder = async (
  files: readonly RecordingFile[],
  { timeOf, tolerance }: Format,
  isTaken: IsTaken,
  until: number,
  progress: (share: number, lines: number) => void,
): Promise<Order> => {
  const span = createSpan()
  const bytes = files.reduce((sum, { source }) => sum + source.bytes, 0)
  let firstNew: number | null = null
  let last: number | null = null
  let bytesRead = 0
  let linesRead = 0
  const onRead = (chunk: Buffer): void => {
    bytesRead += chunk.length
    progress(bytesRead / bytes, linesRead)
  }

  const readFile = async (file: RecordingFile): Promise<Read> => {
    const hash = createHash('sha256')
    const found: Read = { file, fingerprint: '', lines: 0, first: null, outOfOrder: null }
    let newest = 0
    // A log and its gzip are the same recording.
    for await (const text of linesOf(file.source, maxLine, onRead, chunk => hash.update(chunk))) {
      found.lines += 1
      linesRead += 1
      const at = text === null ? null : timeOf(text)
      if (text === null || at === null) continue
      found.first ??= at
      if (!isTaken(text, at)) firstNew = least(firstNew, at)
      if (at < until) span.add(text, at)
      last = Math.max(last ?? at, at)
      if (at < newest - tolerance) found.outOfOrder ??= found.lines
      newest = Math.max(newest, at)
    }
    return { ...found, fingerprint: hash.digest('hex') }
  }

  const reads: Read[] = []
  const repeated: string[] = []
  for (const file of files) {
    const read = await readFile(file)
    if (reads.some(({ fingerprint }) => fingerprint === read.fingerprint)) repeated.push(file.name)
    else reads.push(read)
  }
  reads.sort(byTime)
  const unsorted = reads.find(({ outOfOrder }) => outOfOrder !== null)
  return {
    files: reads.map(({ file }) => file),
    repeated,
    fingerprint: fingerprintOf(reads),
    lines: reads.reduce((sum, { lines }) => sum + lines, 0),
    first: reads.reduce<number | null>((least_, { first }) => (first === null ? least_ : least(least_, first)), null),
    firstNew,
    last,
    outOfOrder: unsorted === undefined ? null : { file: unsorted.file.name, line: unsorted.outOfOrder ?? 0 },
    span: span.span(),
  }
}

/** Sorts lines by time, in memory. A line without a time stays after the preceding one. */
export const sortLines = async (lines: AsyncIterable<TextLine>, { timeOf }: Format): Promise<TextLine[]> => {
  const timed: { text: TextLine; at: number }[] = []
  for await (const text of lines)
    timed.push({ text, at: (text === null ? null : timeOf(text)) ?? timed.at(-1)?.at ?? 0 })
  return timed.sort((a, b) => a.at - b.at).map(({ text }) => text)
}
