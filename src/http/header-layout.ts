// Browsers send the same headers in the same order, again and again: which they are needs to be found out once for each.
import type { IncomingHttpHeaders } from 'node:http'
import { createMemo, detach } from '../memo.ts'

/** The headers of one browser's requests: what they are called, and where their values stand among the raw ones. */
export type HeaderLayout = {
  /** As they are sent, in their order. */
  names: readonly string[]
  /** The place of each value in the list of names and values in turn, by the name in small letters. */
  places: ReadonlyMap<string, number>
  /** All headers, empty. */
  blank: IncomingHttpHeaders
}

const layoutsAtHand = 200
/** Names and values in turn; browsers and proxies send some twenty pairs. */
const mostTexts = 128
const mostCharacters = 2000

/** For them node has rules of its own. */
const special = new Set(['set-cookie', 'expect'])

/** A name in small letters, as a property's name: any other text V8 would have to look for among those, at each use. */
const propertyName = (name: string): string => Object.keys({ [name.toLowerCase()]: true })[0] ?? ''

const readLayout = (raw: readonly string[]): HeaderLayout | null => {
  const names = raw.filter((_, at) => at % 2 === 0).map(detach)
  if (raw.length > mostTexts || names.join('').length > mostCharacters) return null
  const places = new Map<string, number>()
  const blank: IncomingHttpHeaders = {}
  for (const [index, sent] of names.entries()) {
    const name = propertyName(sent)
    // Twice there, or there in every object.
    if (blank[name] !== undefined || special.has(name)) return null
    blank[name] = ''
    places.set(name, 2 * index + 1)
  }
  return { names, places, blank: Object.freeze(blank) }
}

const isLayoutOf = ({ names }: HeaderLayout, raw: readonly string[]): boolean => {
  if (raw.length !== 2 * names.length) return false
  for (let at = 0; at < names.length; at++) if (names[at] !== raw[2 * at]) return false
  return true
}

/** By the lengths of the names: to hash the names themselves takes longer than to compare them. */
const keyOf = (raw: readonly string[]): number => {
  let key = raw.length
  for (let at = 0; at < raw.length; at += 2) key = Math.imul(key, 31) + (raw[at] ?? '').length | 0
  return key
}

const known = createMemo<number, HeaderLayout>(layoutsAtHand)

/** The layout of names and values in turn; null where node has to read them: many, long ones, some twice, some special. */
export const layoutOf = (raw: readonly string[]): HeaderLayout | null => {
  const key = keyOf(raw)
  const found = known.get(key)
  if (found !== undefined && isLayoutOf(found, raw)) return found
  const layout = readLayout(raw)
  if (layout !== null) known.set(key, layout)
  return layout
}
