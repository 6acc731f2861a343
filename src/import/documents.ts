import { beginningOf, linesOf, piecesOf, type Source } from './source.ts'

/** A JSON document and its position: its line number, or its index in the list. */
export type JsonDocument = { text: string; place: number }

/**
 * Extracts the members of a JSON array, or consecutive objects, from a text in chunks: a list may be larger than memory.
 * Members that are neither objects nor arrays are skipped.
 * @param outer how many brackets are around a member
 */
const createSplitter = (outer: 0 | 1) => {
  let parts: string[] = []
  let depth = 0
  let quoted = false
  let escaped = false

  /** Handles one character; tells whether a member begins before it or ends with it. */
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

  const feed = (text: string): string[] => {
    const whole: string[] = []
    let start = depth > outer ? 0 : -1
    for (let at = 0; at < text.length; at += 1) {
      const found = step(text.charCodeAt(at))
      if (found === 'begins') start = at
      if (found !== 'ends') continue
      whole.push([...parts, text.slice(start, at + 1)].join(''))
      parts = []
      start = -1
    }
    if (start >= 0) parts.push(text.slice(start))
    return whole
  }
  return { feed, isOpen: () => depth !== 0 }
}

/** A list ended too early. */
export class IncompleteListError extends Error {
  override name = 'IncompleteListError'
}

type Seen = (bytes: Buffer) => void

async function* membersOf(source: Source, outer: 0 | 1, seen: Seen): AsyncGenerator<JsonDocument> {
  const splitter = createSplitter(outer)
  let place = 0
  for await (const piece of piecesOf(source, seen)) {
    for (const text of splitter.feed(piece)) yield { text, place: (place += 1) }
  }
  if (splitter.isOpen()) throw new IncompleteListError(`The list ends too early, after ${place} whole orders.`)
}

async function* nonEmptyLines(source: Source, seen: Seen): AsyncGenerator<JsonDocument> {
  let place = 0
  for await (const text of linesOf(source, seen)) {
    place += 1
    if (text.trim() !== '') yield { text: text.replace(/^\uFEFF/, ''), place }
  }
}

/**
 * The documents of a file: one per line, the members of one list, or objects over several lines each. `seen` is called
 * with the bytes of the file as they are read.
 * @throws IncompleteListError after the last whole member of a list that does not end
 */
export const documentsOf = (source: Source, seen: Seen): AsyncGenerator<JsonDocument> => {
  const text = beginningOf(source)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('[')) return membersOf(source, 1, seen)
  return /^\{\s*\r?\n/.test(text) ? membersOf(source, 0, seen) : nonEmptyLines(source, seen)
}
