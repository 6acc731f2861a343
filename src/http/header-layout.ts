// Browsers send the same headers in the same order, again and again: which they are needs to be found out once for each.
import { createLruCache, copyString, memoize } from '../lib/lru-cache.ts'

/** Where the values of one browser's headers stand in the list of names and values in turn, by the names in small letters. */
export type HeaderLayout = ReadonlyMap<string, number>

/** The names as they are sent, in their order; null where node has to read them, by rules of its own. */
type Known = { names: readonly string[]; layout: HeaderLayout | null }

const keysAtHand = 100
/** Of one key: names of the same lengths, such as those of a browser and those that a proxy has written in small letters. */
const layoutsOfKey = 3
/** Names and values in turn; browsers and proxies send some twenty pairs. */
const mostTexts = 128
const mostCharacters = 2000

/** Node makes a list of the first, and looks at the second before it hands a request over, when no others can be read. */
const special = new Set(['set-cookie', 'expect'])

/** A name in small letters, as a property's name: any other text V8 would have to look for among those, at each use. */
const propertyName = (name: string): string => Object.keys({ [name.toLowerCase()]: true })[0] ?? ''
const nameOf = memoize(1000, sent => ({ sent: copyString(sent), name: propertyName(sent) }))

const read = (raw: readonly string[]): Known => {
  const parts = raw.filter((_, at) => at % 2 === 0).map(nameOf)
  const names = parts.map(({ name }) => name)
  const plain =
    new Set(names).size === names.length && !names.some(name => special.has(name) || name in Object.prototype)
  return {
    names: parts.map(({ sent }) => sent),
    layout: plain ? new Map(names.map((name, index) => [name, 2 * index + 1])) : null,
  }
}

const isOf = ({ names }: Known, raw: readonly string[]): boolean => {
  if (raw.length !== 2 * names.length) return false
  for (let at = 0; at < names.length; at++) if (names[at] !== raw[2 * at]) return false
  return true
}

/** By the lengths of the names: to hash the names themselves takes longer than to compare them. */
const keyOf = (raw: readonly string[]): number => {
  let key = raw.length
  for (let at = 0; at < raw.length; at += 2) key = (Math.imul(key, 31) + (raw[at] ?? '').length) | 0
  return key
}

const isLong = (raw: readonly string[]): boolean => {
  let characters = 0
  for (let at = 0; at < raw.length; at += 2) characters += (raw[at] ?? '').length
  return characters > mostCharacters
}

const known = createLruCache<number, readonly Known[]>(keysAtHand)

/** The layout of names and values in turn; null where node has to read them: many, long ones, some twice, some special. */
export const layoutOf = (raw: readonly string[]): HeaderLayout | null => {
  if (raw.length > mostTexts) return null
  const key = keyOf(raw)
  const others = known.get(key) ?? []
  const found = others.find(one => isOf(one, raw))
  if (found !== undefined) return found.layout
  if (isLong(raw)) return null
  const made = read(raw)
  known.set(key, [made, ...others.slice(0, layoutsOfKey - 1)])
  return made.layout
}
