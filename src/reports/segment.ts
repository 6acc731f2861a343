import * as v from 'valibot'
import type { Day } from '../lib/time.ts'
import { readCondition, type Segment } from './condition.ts'
import { aboutFilters } from './filters/about.ts'
import { readFilterText } from './filters/syntax.ts'
import {
  type FilterKey,
  filterKeys,
  filterOf,
  isClosed,
  isFilterKey,
  isPropertyFilter,
  propertyPrefix,
  takesPatterns,
} from './filters/table.ts'

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

const takesUnknown = (name: string): boolean =>
  isFilterKey(name) ? filterOf(name).neverUnknown !== true : !isPropertyFilter(name)

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

const keySchema = (key: FilterKey) => v.optional(filterSchema(key, aboutFilters[key]))

type KeyEntries = Record<FilterKey, ReturnType<typeof keySchema>>
const keyEntries = Object.fromEntries(filterKeys.map(key => [key, keySchema(key)])) as KeyEntries

const propertyText = filterSchema(
  propertyPrefix,
  'property.KEY=value: only visits with an event that has these values of the property KEY, and of the names of `event` where that is given.',
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
