import * as v from 'valibot'
import type { Day } from '../lib/time.ts'
import { filterKeys, isFilterKey, isPropertyFilter, propertyPrefix, type FilterKey } from './filter-keys.ts'
import { isClosed } from './filters/closed.ts'
import { readCondition, type Segment } from './condition.ts'
import { readFilterText, takesPatterns } from './filters/syntax.ts'

/** The filters of visits and views, with their documentation. */
const about: Readonly<Record<FilterKey, string>> = {
  host: 'Only views of pages of these hosts, and sessions that began there; host and pages together mean pages of it.',
  page: 'Only views of these pages.',
  entry_page: 'Only sessions that began on these pages.',
  exit_page: 'Only sessions that ended on these pages.',
  channel: 'Only sessions of these channels.',
  source: 'Only sessions from these sources, by name or host.',
  utm_source: 'Only sessions with these values of utm_source.',
  utm_medium: 'Only sessions with these values of utm_medium.',
  utm_campaign: 'Only sessions with these values of utm_campaign.',
  utm_term: 'Only sessions with these values of utm_term.',
  utm_content: 'Only sessions with these values of utm_content.',
  continent: 'Only sessions from these continents: AF, AN, AS, EU, NA, OC, SA.',
  country: 'Only sessions from these countries, ISO 3166-1 alpha-2.',
  region: 'Only sessions from these regions.',
  city: 'Only sessions from these cities.',
  device: 'Only sessions on these kinds of device: desktop, mobile, tablet, tv, other.',
  screen: 'Only sessions with these screen sizes.',
  browser: 'Only sessions with these browsers.',
  browser_version: 'Only sessions with these browsers of one version, such as Firefox 140.',
  os: 'Only sessions on these operating systems.',
  os_version: 'Only sessions on these operating systems of one version, such as iOS 18.',
  language: 'Only sessions with these languages, BCP 47; de-* is German of all regions.',
  hour: 'Only sessions that began in these hours of the day, 00 to 23.',
  weekday: 'Only sessions that began on these weekdays, 1 (Monday) to 7.',
  event: 'Only sessions that hold one of these events.',
  goal: 'Only sessions that reached one of these goals, by id or name.',
  funnel: 'Only sessions that came through one of these funnels, by id or name; 3:2 is the second step of funnel 3.',
}

/** Filters by name, as in the query of a report. */
export type Filters = Readonly<Record<string, string>>

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
const maxNameLength = 100

/** Filters whose value is never unknown. */
const alwaysKnown: readonly string[] = [
  ...['page', 'entry_page', 'exit_page', 'channel', 'source', 'device', 'hour', 'weekday', 'event', 'goal', 'funnel'],
]

const takesUnknown = (name: string): boolean => !alwaysKnown.includes(name) && !isPropertyFilter(name)

/** Why a text cannot be the value of a filter; null if it can. Whether values of closed lists are known is read later. */
export const filterProblem = (name: string, text: string): string | null => {
  if (text.length > maxListLength) return `${name} must be at most 8,192 characters long.`
  const { values } = readFilterText(name, text)
  if (values.length > maxValues) return `${name} takes at most ${maxValues} values.`
  if (values.some(value => value.text.length > maxValueLength))
    return `A value of ${name} must be at most ${maxValueLength} characters long.`
  return !takesUnknown(name) && values.some(value => value.text === '') ? `${name} takes no empty value.` : null
}

export const filterSchema = (name: FilterKey | typeof propertyPrefix, text: string) =>
  v.pipe(
    v.string(),
    v.maxLength(maxListLength),
    v.check(
      value => filterProblem(name, value) === null,
      issue => filterProblem(name, issue.input) ?? '',
    ),
    v.description(
      [
        `${text} A comma list is any of them (at most ${maxValues}), a leading ! all others; \\, and \\! are literal.`,
        takesPatterns(name) && '* stands for any characters, \\* for itself.',
        isClosed(name) && "Names in the caller's language or in English are understood.",
        takesUnknown(name) && name !== propertyPrefix && 'An empty value is the unknown one.',
      ]
        .filter(Boolean)
        .join(' '),
    ),
  )

const keySchema = (key: FilterKey) => v.optional(filterSchema(key, about[key]))

type KeyEntries = Record<FilterKey, ReturnType<typeof keySchema>>
const keyEntries = Object.fromEntries(filterKeys.map(key => [key, keySchema(key)])) as KeyEntries

const propertyText = filterSchema(
  propertyPrefix,
  'property.KEY=value: only sessions that hold an event with these values of the property KEY, and of the names of `event` where that is given.',
)
const propertyName = v.pipe(
  v.string(),
  v.maxLength(maxNameLength),
  v.regex(/^property\../, 'A filter by property is written property.KEY=value.'),
)

export const segmentEntry = v.optional(
  v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(maxNameLength),
    v.description('The id or name of a saved segment, whose filters apply as well.'),
  ),
)

/** Query entries of a report that can be limited to a segment of the visits. */
export const filterEntries = {
  ...keyEntries,
  property: v.optional(
    v.pipe(v.record(propertyName, propertyText), v.description('property.KEY=value, such as property.plan=pro.')),
  ),
  segment: segmentEntry,
}

/** Filters in a body: names as in a query, `property.KEY` among them. See readBodyFilters. */
export const filtersBody = v.objectWithRest({ ...keyEntries, segment: segmentEntry }, propertyText)
/** The same without a saved segment. */
export const ownFiltersBody = v.objectWithRest(keyEntries, propertyText)

/** Filters of a query, with the saved ones that it names. */
type FilterQuery = object & { readonly saved?: readonly Filters[] }

/** The filters of a query by name; those of properties with their prefix. */
export const filtersIn = (query: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name === 'property' && typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, text]) => [key, String(text)])
        : typeof value === 'string' && (isFilterKey(name) || isPropertyFilter(name))
          ? [[name, value]]
          : [],
    ),
  )

/** The segment of a query; null for all visits. Values of closed lists are keys: see readFilters. */
export const readSegment = (query: FilterQuery): Segment | null => {
  const filters = [...Object.entries(filtersIn(query)), ...(query.saved ?? []).flatMap(saved => Object.entries(saved))]
  const conditions = filters.flatMap(([name, text]) => readCondition(name, text))
  return conditions.length === 0 ? null : conditions
}
