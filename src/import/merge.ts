// The lines of several files, such as a log and those that it was rotated to, as if they were of one.
import type { TextLine } from '../lib/split-lines.ts'
import type { Format } from './line.ts'
import type { RecordingFile } from './order.ts'
import { linesOf, maxLine } from './source.ts'

/** The next line of a file. A line without a time comes after the one before it. */
type Next = { name: string; lines: AsyncGenerator<TextLine>; text: TextLine; line: number; at: number }

const advance = async (next: Next, { timeOf }: Format): Promise<Next | null> => {
  const { done, value } = await next.lines.next()
  if (done === true) return null
  const at = value === null ? null : timeOf(value)
  return { ...next, text: value, line: next.line + 1, at: at ?? next.at }
}

/**
 * Merges files by time.
 * @param onLine receives what messages call each line, before it is returned
 */
export async function* mergedLines(
  files: readonly RecordingFile[],
  format: Format,
  onLine: (place: string) => void,
): AsyncGenerator<TextLine> {
  const queue: Next[] = []
  /** The first is the earliest; of equal ones the file that was named first. */
  const insert = (next: Next): void => {
    const index = queue.findIndex(other => other.at > next.at)
    queue.splice(index < 0 ? queue.length : index, 0, next)
  }
  const put = async (next: Next): Promise<void> => {
    const following = await advance(next, format)
    if (following !== null) insert(following)
  }
  for (const { name, source } of files) await put({ name, lines: linesOf(source, maxLine), text: null, line: 0, at: 0 })
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    onLine(files.length > 1 ? `${next.name}, line ${next.line}` : `Line ${next.line}`)
    yield next.text
    await put(next)
  }
}
