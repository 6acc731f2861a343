import * as v from 'valibot'
import { channels } from '../channel/channel.ts'
import type { Day } from '../lib/time.ts'
import type { FilterKey } from './filter-keys.ts'

/** The filters of visits and views, with their documentation. */
const about: Readonly<Record<FilterKey, string>> = {
  page: 'Only views of these pages.',
  entry_page: 'Only sessions that began on these pages.',
  exit_page: 'Only sessions that ended on these pages.',
  channel: 'Only sessions of these channels.',
  source: 'Only sessions from these sources.',
  utm_source: 'Only sessions with these values of utm_source.',
  utm_medium: 'Only sessions with these values of utm_medium.',
  utm_campaign: 'Only sessions with these values of utm_campaign.',
  country: 'Only sessions from these countries, ISO 3166-1 alpha-2.',
  region: 'Only sessions from these regions.',
  city: 'Only sessions from these cities.',
  device: 'Only sessions on these kinds of device.',
  browser: 'Only sessions with these browsers.',
  os: 'Only sessions on these operating systems.',
  language: 'Only sessions with these languages, BCP 47.',
  event: 'Only sessions that hold one of these events.',
}

/** A session or view matches if it has one of the values or, if they are not `included`, none of them. */
export type Filter = { included: boolean; values: string[] }
export type Segment = Partial<Record<FilterKey, Filter>>

/** Thrown if a segment begins before the first day with complete raw rows. */
export class RawRowsGone extends Error {
  readonly first: Day

  constructor(first: Day) {
    super(`raw rows begin with ${first}`)
    this.first = first
  }
}

const maxValues = 20
/** The longest key is that of a page. */
const maxValueLength = 1024
const maxListLength = 8192

/** Filters whose value is never unknown. */
const alwaysKnown: readonly FilterKey[] = ['page', 'entry_page', 'exit_page', 'channel', 'source', 'device', 'event']
/** Filters with a fixed set of values. */
const closed: Partial<Record<FilterKey, readonly string[]>> = {
  channel: channels,
  device: ['desktop', 'mobile', 'tablet', 'tv', 'other'],
}
/** Filters that compare case-sensitively, as the reports' keys differ by case. */
const exact: readonly FilterKey[] = ['page', 'entry_page', 'exit_page', 'event']

const canonicalTag = (tag: string): string => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    return tag
  }
}

const comparable = (key: FilterKey, value: string): string =>
  key === 'language' ? canonicalTag(value) : exact.includes(key) ? value : value.toLowerCase()

/** `!a,b\,c` → not 'a' and not 'b,c'. */
const parse = (key: FilterKey, text: string): Filter => {
  const given = text.trim()
  const included = !given.startsWith('!')
  const values = given
    .slice(included ? 0 : 1)
    .split(/(?<!\\),/)
    .map(value => comparable(key, value.replace(/\\([,!])/g, '$1').trim()))
  return { included, values }
}

const keys = Object.keys(about) as FilterKey[]

const filterSchema = (key: FilterKey) => {
  const known = closed[key]
  const isKnown = (text: string): boolean =>
    known === undefined || parse(key, text).values.every(value => known.some(name => name.toLowerCase() === value))
  const unknown = alwaysKnown.includes(key) ? '' : ' An empty value is the unknown one.'
  const names = known === undefined ? '' : ` Values: ${known.join(', ')}.`
  return v.optional(
    v.pipe(
      v.string(),
      v.maxLength(maxListLength),
      v.check(text => parse(key, text).values.length <= maxValues, `${key} takes at most ${maxValues} values.`),
      v.check(
        text => parse(key, text).values.every(value => value.length <= maxValueLength),
        `A value of ${key} must be at most ${maxValueLength} characters long.`,
      ),
      v.check(
        text => unknown !== '' || parse(key, text).values.every(value => value !== ''),
        `${key} takes no empty value.`,
      ),
      v.check(isKnown, `${key} takes only these values: ${known?.join(', ')}.`),
      v.description(
        `${about[key]} A comma list is any of them (at most ${maxValues}), a leading ! all others; \\, and \\! are literal.${unknown}${names}`,
      ),
    ),
  )
}

type FilterEntries = Record<FilterKey, ReturnType<typeof filterSchema>>

/** Query entries of a report that can be limited to a segment of the visits. */
export const filterEntries = Object.fromEntries(keys.map(key => [key, filterSchema(key)])) as FilterEntries

/** The segment of a query; null for all visits. */
export const readSegment = (query: { readonly [Key in FilterKey]?: string | undefined }): Segment | null => {
  const filters = keys.flatMap(key => (query[key] === undefined ? [] : [[key, parse(key, query[key])] as const]))
  return filters.length === 0 ? null : Object.fromEntries(filters)
}
