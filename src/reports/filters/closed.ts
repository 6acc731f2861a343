// Filters whose values come from a closed list: they are understood by key or by name, and others are refused.
import { channels } from '../../channel/channel.ts'
import { countryCodes } from '../../geoip/place.ts'
import { coarseLanguage, hasVariants, languageVariants, screenClasses, screenNamed } from '../../lib/coarse.ts'
import { dateFormat } from '../../lib/formats.ts'
import { canonicalLanguage } from '../../lib/locale.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import { nearest } from '../../lib/nearest.ts'
import { languageNames } from '../../lib/texts.ts'
import { namesOf } from '../../lib/value-names.ts'
import { dimensionNames } from '../dimension-names.ts'
import type { ClosedKey } from './table.ts'

const count = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** The keys of each list. Of languages only those whose names are known: any other tag is a key as well. */
const lists = {
  channel: () => channels,
  continent: () => ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'],
  country: () => countryCodes,
  device: () => ['desktop', 'mobile', 'tablet', 'tv', 'other'],
  language: () => [...letters.flatMap(first => letters.map(second => first + second)), ...languageVariants],
  screen: () => screenClasses,
  suspect: () => count(0, 1),
  hour: () => count(0, 23).map(hour => hour.padStart(2, '0')),
  weekday: () => count(1, 7),
} as const satisfies Readonly<Record<ClosedKey, () => readonly string[]>>

/** Filters that compare names without case, accents and doubled spaces. */
const normalize = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .replaceAll('–', '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const shortWeekday = (language: string, key: string): string =>
  dateFormat([language, 'en'], { weekday: 'short', timeZone: 'UTC' })
    .format(Date.UTC(2024, 0, Number(key)))
    .replace(/\.$/, '')

/** The name that is shown for a value; the value itself if it has none. */
export const labelOf = (key: string, value: string, language: string): string => {
  if (key === 'channel' || key === 'device')
    return namesOf(key, value, language)[0] ?? namesOf(key, value, 'en')[0] ?? value
  return dimensionNames(key, language)?.(value) ?? value
}

/** All names by which a value is understood; the first is the one that is shown. */
export const namesIn = (key: ClosedKey, value: string, language: string): readonly string[] => [
  labelOf(key, value, language),
  ...(key === 'channel' || key === 'device' || key === 'country' ? namesOf(key, value, language) : []),
  ...(key === 'weekday' ? [shortWeekday(language, value)] : []),
]

/** A language without a script or region stands for all its forms, as a language range does (RFC 4647). */
const understood = (key: ClosedKey, value: string): string =>
  key === 'language' && hasVariants(value) ? `${value}-*` : value

type Known = { name: string; value: string }

const cache = createLruCache<string, ReadonlyMap<string, Known>>(64)

/** The values of a list by their names in a language. */
const byName = (key: ClosedKey, language: string): ReadonlyMap<string, Known> => {
  const id = `${key} ${language}`
  const known = cache.get(id)
  if (known !== undefined) return known
  const values: readonly string[] = lists[key]()
  const entries = values.flatMap(value =>
    namesIn(key, value, language)
      .filter(name => key !== 'language' || name !== value)
      .map((name): [string, Known] => [normalize(name), { name, value: understood(key, value) }]),
  )
  // The first value of a name has it: a synonym takes no other value's own name.
  const map = new Map(entries.reverse())
  cache.set(id, map)
  return map
}

/** `German (Austria)` → de. */
const regional = (text: string, languages: readonly string[]): string | null => {
  const [, base = '', region = ''] = /^([^()]+) \(([^()]+)\)$/.exec(text) ?? []
  for (const language of base === '' ? [] : languages) {
    const tag = byName('language', language).get(normalize(base))?.value.replace('-*', '')
    const country = byName('country', language).get(normalize(region))?.value
    if (tag !== undefined && country !== undefined) return coarseLanguage(`${tag}-${country}`)
  }
  return null
}

const readLanguage = (text: string, languages: readonly string[]): string | null => {
  const range = /^([a-z]{2,3})-\*$/i.exec(text)?.[1]?.toLowerCase()
  if (range !== undefined) return hasVariants(range) ? `${range}-*` : range
  return /^[a-z]{2,3}(?:[-_]|$)/i.test(text) ? coarseLanguage(text) : regional(text, languages)
}

const readCountry = (text: string): string | null => {
  const code = /^[a-z]{2}$/i.test(text) ? canonicalLanguage(`und-${text}`)?.slice(4) : undefined
  return code !== undefined && countryCodes.includes(code) ? code : null
}

const readKey = (key: ClosedKey, text: string, languages: readonly string[]): string | null => {
  if (key === 'language') return readLanguage(text, languages)
  if (key === 'country') return readCountry(text)
  if (key === 'screen') return screenNamed(text)
  if (key === 'hour') return /^(?:[01]?\d|2[0-3])(?::00)?$/.test(text) ? text.replace(':00', '').padStart(2, '0') : null
  const values: readonly string[] = lists[key]()
  return values.find(value => value.toLowerCase() === text.toLowerCase()) ?? null
}

const spoken = (language: string): string[] => [...new Set([language, 'en'])]

/** The key of a value given by key or by name, in the language or in English; null if it is not understood. */
export const readClosed = (key: ClosedKey, text: string, language: string): string | null => {
  const languages = spoken(language)
  const named = languages.map(one => byName(key, one).get(normalize(text))?.value).find(value => value !== undefined)
  const byKey = readKey(key, text, languages)
  // A name may look like a tag ("Ido"), but no key is another value's name.
  return (key === 'language' ? (named ?? byKey) : (byKey ?? named)) ?? null
}

const shown = ({ name, value }: Known): string => (normalize(name) === normalize(value) ? name : `${name} (${value})`)

const maxCompared = 60
const editsFor = (text: string): number => Math.min(3, Math.ceil(text.length / 4))

const valueShown = (key: ClosedKey, value: string, language: string): string =>
  shown({ name: labelOf(key, value.replace('-*', ''), language), value })

/** Codes of two letters are near to too many others. */
const minKeyLength = 3

const wordsOf = (key: ClosedKey, language: string): ReadonlyMap<string, Known> => {
  const values: readonly string[] = lists[key]()
  const keys = values.filter(value => value.length >= minKeyLength && key !== 'language')
  return new Map([
    ...keys.map((value): [string, Known] => [normalize(value), { name: labelOf(key, value, language), value }]),
    ...spoken(language).flatMap(one => [...byName(key, one)]),
  ])
}

/** What the text could mean: "Germany (DE)"; null if nothing is near. */
const nearestClosed = (key: ClosedKey, text: string, language: string): string | null => {
  const wanted = normalize(text)
  if (wanted.length < 2 || wanted.length > maxCompared) return null
  const elsewhere = languageNames.map(one => byName(key, one).get(wanted)).find(value => value !== undefined)
  if (elsewhere !== undefined) return valueShown(key, elsewhere.value, language)
  const known = wordsOf(key, language)
  const names = [...known.keys()]
  const found = nearest(wanted, names, editsFor(wanted)) ?? names.find(name => name.startsWith(wanted))
  const meant = found === undefined ? undefined : known.get(found)
  return meant === undefined ? null : shown(meant)
}

/** What can be given. */
const helpOf = (key: ClosedKey, language: string): string => {
  if (key === 'hour') return 'Values: 00 to 23.'
  if (key === 'country' || key === 'language')
    return `Give a name or a code, such as ${valueShown(key, key === 'country' ? 'DE' : 'pt-BR', language)}.`
  return `Values: ${lists[key]()
    .map(value => valueShown(key, value, language))
    .join(', ')}.`
}

/** Why a value was not understood. */
export const refusal = (key: ClosedKey, text: string, language: string): string => {
  const meant = nearestClosed(key, text, language)
  const help = meant === null ? helpOf(key, language) : `Did you mean ${meant}?`
  return `${key}=${text.slice(0, maxCompared)} is not known. ${help}`
}
