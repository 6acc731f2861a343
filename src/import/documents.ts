import { beginningOf, linesOf, chunksOf, type OnRead, type Source } from './source.ts'

/** A JSON document and its position: its line number, or its number in the list. */
export type JsonDocument = { text: string; position: number }

/**
 * Extracts the members of a JSON array, or consecutive objects, from text in chunks: a list may be larger than memory.
 * Members that are neither objects nor arrays are skipped.
 * @param outer the nesting depth of a member
 */
const createSplitter = (outer: 0 | 1) => {
  let parts: string[] = []
  let depth = 0
  let quoted = false
  let escaped = false

  /** Processes one character. Returns whether a member begins or ends with it. */
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
    const complete: string[] = []
    let start = depth > outer ? 0 : -1
    for (let at = 0; at < text.length; at += 1) {
      const edge = step(text.charCodeAt(at))
      if (edge === 'begins') start = at
      if (edge !== 'ends') continue
      complete.push([...parts, text.slice(start, at + 1)].join(''))
      parts = []
      start = -1
    }
    if (start >= 0) parts.push(text.slice(start))
    return complete
  }
  return { feed, isOpen: () => depth !== 0 }
}

/** The file ends within a list. */
export class IncompleteListError extends Error {
  override name = 'IncompleteListError'
}

async function* membersOf(source: Source, outer: 0 | 1, onRead: OnRead): AsyncGenerator<JsonDocument> {
  const splitter = createSplitter(outer)
  let position = 0
  for await (const chunk of chunksOf(source, onRead)) {
    for (const text of splitter.feed(chunk)) yield { text, position: (position += 1) }
  }
  if (splitter.isOpen()) throw new IncompleteListError(`The list ends too early, after ${position} whole orders.`)
}

async function* nonEmptyLines(source: Source, onRead: OnRead): AsyncGenerator<JsonDocument> {
  let position = 0
  for await (const text of linesOf(source, onRead)) {
    position += 1
    if (text.trim() !== '') yield { text: text.replace(/^\uFEFF/, ''), position }
  }
}

/**
 * The documents of a file: one per line, the members of one list, or consecutive objects of several lines each.
 * @throws IncompleteListError after the last complete member of a list that does not end
 */
export const documentsOf = (source: Source, onRead: OnRead): AsyncGenerator<JsonDocument> => {
  const text = beginningOf(source)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('[')) return membersOf(source, 1, onRead)
  return /^\{\s*\r?\n/.test(text) ? membersOf(source, 0, onRead) : nonEmptyLines(source, onRead)
}
