import { createByteBuffer } from '../lib/byte-buffer.ts'
import { ExpectedError } from '../lib/errors.ts'
import { splitLines, type TextLine } from '../lib/split-lines.ts'
import { beginningOf, bytesOf, maxDocument, type OnRead, type Source } from './source.ts'

/** A JSON document, null if it is too long, and its position: its line number, or its number in the list. */
export type JsonDocument = { text: TextLine; position: number }

/**
 * Extracts the members of a JSON array, or consecutive objects, from text in chunks: a list may be larger than memory.
 * Members that are neither objects nor arrays are skipped. One that is too long is null, and its rest is read over.
 * @param outer the nesting depth of a member
 */
const createSplitter = (outer: 0 | 1) => {
  const member = createByteBuffer(maxDocument)
  let depth = 0
  let quoted = false
  let escaped = false
  let tooLong = false

  /** Processes one character, which is a byte: all of JSON's marks are ASCII. */
  const step = (char: number): 'begins' | 'ends' | null => {
    if (quoted) {
      if (escaped) escaped = false
      else if (char === 0x5c) escaped = true
      else if (char === 0x22) quoted = false
    } else if (char === 0x22) quoted = true
    else if (char === 0x7b || char === 0x5b) {
      depth += 1
      return depth === outer + 1 ? 'begins' : null
    } else if (char === 0x7d || char === 0x5d) {
      depth -= 1
      return depth === outer ? 'ends' : null
    }
    return null
  }

  const add = (part: Uint8Array): void => {
    tooLong ||= member.size() + part.length > maxDocument
    if (tooLong) member.take()
    else member.add(part)
  }

  const take = (): TextLine => {
    const text = tooLong ? null : member.take().toString()
    tooLong = false
    return text
  }

  const feed = (chunk: Uint8Array): TextLine[] => {
    const complete: TextLine[] = []
    let start = depth > outer ? 0 : -1
    for (let at = 0; at < chunk.length; at += 1) {
      const edge = step(chunk[at] ?? 0)
      if (edge === 'begins') start = at
      if (edge !== 'ends') continue
      add(chunk.subarray(start, at + 1))
      complete.push(take())
      start = -1
    }
    if (start >= 0) add(chunk.subarray(start))
    return complete
  }
  return { feed, isOpen: () => depth !== 0 }
}

/** The file ends within a list. */
export class IncompleteListError extends ExpectedError {
  override name = 'IncompleteListError'
}

type Bytes = AsyncIterable<Uint8Array>

async function* membersOf(bytes: Bytes, outer: 0 | 1): AsyncGenerator<JsonDocument> {
  const splitter = createSplitter(outer)
  let position = 0
  for await (const chunk of bytes) {
    for (const text of splitter.feed(chunk)) yield { text, position: (position += 1) }
  }
  if (splitter.isOpen()) throw new IncompleteListError(`The list ends too early, after ${position} whole orders.`)
}

async function* nonEmptyLines(bytes: Bytes): AsyncGenerator<JsonDocument> {
  let position = 0
  for await (const text of splitLines(bytes, maxDocument)) {
    position += 1
    if (text?.trim() !== '') yield { text: text?.replace(/^\uFEFF/, '') ?? null, position }
  }
}

/**
 * The documents of a file: one per line, the members of one list, or consecutive objects of several lines each.
 * @param beginning of the text
 * @param bytes of the text in UTF-8
 * @throws IncompleteListError after the last complete member of a list that does not end
 */
export const documentsIn = (beginning: string, bytes: Bytes): AsyncGenerator<JsonDocument> => {
  const text = beginning.replace(/^\uFEFF/, '').trimStart()
  if (text.startsWith('[')) return membersOf(bytes, 1)
  return /^\{\s*\r?\n/.test(text) ? membersOf(bytes, 0) : nonEmptyLines(bytes)
}

export const documentsOf = (source: Source, onRead: OnRead): AsyncGenerator<JsonDocument> =>
  documentsIn(beginningOf(source), bytesOf(source, onRead))
