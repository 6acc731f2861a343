// Understands the filters of a query: values by name, in the caller's language, become keys; a saved segment its filters.
// Parameters that a report does not take are never passed over in silence (api.md §4).

import { domainToASCII } from 'node:url'
import * as v from 'valibot'
import { decodePath, parsePage, storedHost } from '../../collection/ingest/page.ts'
import { query as statement } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { invalid, invalidParam } from '../../http/errors.ts'
import { canonicalLanguage } from '../../lib/locale.ts'
import { nearest } from '../../lib/nearest.ts'
import sqlText from '../../sql/filters-read.sql'
import type { Segment } from '../condition.ts'
import { bindParameters, type Read } from '../pool.ts'
import { type Filters, filterProblem, filtersIn, readSegment } from '../segment.ts'
import { readClosed, refusal } from './closed.ts'
import { gap, readFilterText, type Value, valueAlone, writeFilterText } from './syntax.ts'
import { filterKeys, filterOf, isClosed, isFilterKey, isPropertyFilter } from './table.ts'

// What people write for a page: as reports show it, with its host, or as it stands in the address bar.

const webAddress = /^https?:\/\//i
const hostBefore = /^[^/\s]+\.[^/\s]+(?=\/|$)/

/** A page by its host, and the same of an unknown host, as `pages` in src/sql/filter.sql finds it. */
const parsed = (address: string, keep: readonly string[]): { host: string; page: string } | null => {
  const found = parsePage(address, null, keep)
  return found === null ? null : { host: found.host === null ? '' : storedHost(found.host), page: found.page }
}

/**
 * The pages that a text can mean, of which the first that the file has counts.
 * @param keep names of the parameters that identify pages
 */
export const pagesNamed = (text: string, keep: readonly string[]): string[] => {
  if (text === '') return [text]
  const address = webAddress.test(text) || text.startsWith('/') ? text : `https://${text}`
  if (address !== text && !hostBefore.test(text)) return [text]
  const found = parsed(address, keep)
  if (found === null) return [text]
  const { host, page } = found
  const unknownHost = webAddress.test(text) ? [`${gap}${page}`] : []
  return [...new Set([text, `${host}${page}`, ...unknownHost])]
}

/** A page as goals keep it: its path, after its host if one was named. */
export const pageNamed = (text: string, keep: readonly string[]): string => {
  const [given = text, found = given] = pagesNamed(text, keep)
  return found
}

/** A pattern of pages, with `gap` for `*`: of an address its host and path. */
export const patternNamed = (pattern: string): string => {
  const bare = pattern.replace(webAddress, '')
  const [host = ''] = hostBefore.exec(bare.split(gap, 1).join('')) ?? []
  if (host === '') return decodePath(bare)
  return `${storedHost(domainToASCII(host) || host)}${decodePath(bare.slice(host.length))}`
}

/** Whether a text that is no pattern can be a page: a path, one with its host, or a sum such as `(other)`. */
const canBePage = (text: string): boolean => /^[/(]/.test(text) || webAddress.test(text) || hostBefore.test(text)

const isEncoded = /%[\da-f]{2}/i

/** What a search among pages and titles looks for: of an address the path. */
export const pageSearch = (search: string | undefined): string | undefined => {
  if (search === undefined) return undefined
  if (webAddress.test(search)) return parsed(search, [])?.page ?? search
  return isEncoded.test(search) ? decodePath(search) : search
}

/** Names of the platform, which work on every route. */
const isPlatforms = (name: string): boolean => name.startsWith('_') || name === 'rest_route'

const filters: readonly string[] = filterKeys

/** Shorter names are too close to too many others. */
const minLength = 4
const longLength = 7
/** Longer names are no misspelt parameter, and would take long to compare. */
const maxLength = 40
const maxListed = 50

const misspelt = (name: string, known: readonly string[]): string | undefined =>
  name.length < minLength || name.length > maxLength
    ? undefined
    : nearest(name, known, name.length < longLength ? 1 : 2)

/** The names of a query, without the brackets of lists. */
export const namesIn = (query: URLSearchParams): string[] => [
  ...new Set([...query.keys()].map(key => key.replace(/\[.*$/s, ''))),
]

/**
 * The given names that a report ignores; `meta.ignored` lists them.
 * @param known the parameters of the report
 * @param strict whether none is ignored
 * @throws ApiError 400 for one that is probably misspelt, and for a filter that the report does not take
 */
export const ignoredNames = (given: readonly string[], known: readonly string[], strict: boolean): string[] => {
  const isKnown = (name: string): boolean =>
    known.includes(name) || (isPropertyFilter(name) && known.includes('property'))
  const unknown = given.filter(name => !isKnown(name) && !isPlatforms(name))
  for (const name of unknown) {
    if (filters.includes(name) || isPropertyFilter(name)) {
      const taken = known.filter(one => filters.includes(one))
      const help = taken.length === 0 ? '' : ` It takes ${taken.join(', ')}.`
      throw invalidParam(name, `This report does not take the filter ${name}.${help}`)
    }
    const meant = misspelt(name, known)
    if (meant !== undefined) throw invalidParam(name, `There is no parameter ${name}. Did you mean ${meant}?`)
    if (strict) throw invalidParam(name, `There is no parameter ${name}. Parameters: ${known.join(', ')}.`)
  }
  return unknown.slice(0, maxListed).map(name => name.slice(0, maxLength))
}

/** The language that a query asks for. */
export const readLanguage = ({ lang }: { lang?: string | undefined }): string | undefined => {
  if (lang !== undefined && canonicalLanguage(lang) === null)
    throw invalidParam('lang', 'lang is not a valid language tag.')
  return lang
}

const sql = statements(sqlText)

/**
 * The key of a value as a person writes it: `country`, "Deutschland" → DE. Values of open lists stay as they are.
 * Null if the value is in no list.
 */
export const readFilterValue = (key: string, text: string, language: string): string | null =>
  isClosed(key) ? readClosed(key, text.trim(), language) : text.trim()

const keyOf = (name: string, { raw, text }: Value, language: string): { key: string } | { problem: string } => {
  if (!isClosed(name) || text === '') return { key: valueAlone(raw) }
  const key = readFilterValue(name, text, language)
  return key === null ? { problem: refusal(name, text, language) } : { key }
}

/** The text of a filter with keys for values, or why it cannot be read. */
const canonical = (name: string, text: string, language: string): { text: string } | { problem: string } => {
  const problem = filterProblem(name, text)
  if (problem !== null) return { problem }
  const { included, values } = readFilterText(name, text)
  const read = values.map(value => keyOf(name, value, language))
  for (const one of read) if ('problem' in one) return one
  return {
    text: writeFilterText(
      included,
      read.flatMap(one => ('key' in one ? [one.key] : [])),
    ),
  }
}

/** Filters with keys for values, and by name why the others cannot be read. */
const readValues = (
  filters: Filters,
  language: string,
): { read: Filters; wrong: [name: string, problem: string][] } => {
  const all = Object.entries(filters).map(([name, text]) => [name, canonical(name, text, language)] as const)
  return {
    read: Object.fromEntries(all.flatMap(([name, one]) => ('text' in one ? [[name, one.text]] : []))),
    wrong: all.flatMap(([name, one]) => ('problem' in one ? [[name, one.problem] as [string, string]] : [])),
  }
}

/** What is kept and can select nothing is refused. */
const refuseNoPages = (filters: Filters, field: string): void => {
  for (const [name, text] of Object.entries(filters)) {
    if (!isFilterKey(name) || filterOf(name).lookUp !== 'pages') continue
    const wrong = readFilterText(name, text).values.find(value => !value.isPattern && !canBePage(value.text))
    if (wrong !== undefined)
      throw invalidParam(field, `${name} takes pages such as /thanks, or addresses; ${wrong.raw.slice(0, 60)} is none.`)
  }
}

const byFilter = [...filterKeys, 'property.KEY']

/**
 * Filters of a body, by keys.
 * @throws ApiError 400 for `field` if a filter is unknown or its value not understood
 */
export const readBodyFilters = (
  given: Readonly<Record<string, string | undefined>>,
  language: string,
  field = 'filters',
): Filters => {
  const { segment, ...filters } = Object.fromEntries(
    Object.entries(given).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  ) as Record<string, string>
  for (const name of Object.keys(filters)) {
    if (isFilterKey(name) || isPropertyFilter(name)) continue
    const meant = nearest(name.slice(0, 60), byFilter, 2)
    const help = meant === undefined ? `Filters: ${byFilter.join(', ')}.` : `Did you mean ${meant}?`
    throw invalidParam(field, `There is no filter ${name.slice(0, 60)}. ${help}`)
  }
  const { read, wrong } = readValues(filters, language)
  if (wrong.length > 0) throw invalidParam(field, wrong.map(([, problem]) => problem).join(' '))
  refuseNoPages(read, field)
  return { ...read, ...(segment !== undefined && { segment }) }
}

/** A saved segment by its id or its name. */
export const savedSegmentQuery = statement(
  sql('saved-segment.find'),
  v.object({ wanted: v.string() }),
  v.object({ id: v.number(), name: v.string(), filters: v.string() }),
)

export const parseFilters = v.parser(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())))

const readSaved = async (wanted: string, read: Read): Promise<Filters> => {
  const [[found]] = await read([bindParameters(savedSegmentQuery, { wanted })])
  if (found === undefined) throw invalidParam('segment', `There is no segment ${wanted}.`)
  return parseFilters(found.filters)
}

type Caller = { read: Read; language: string }

/** @throws ApiError 400 naming each filter that is not understood */
const readAll = (filters: Filters, language: string): Filters => {
  const { read, wrong } = readValues(filters, language)
  if (wrong.length > 0)
    throw invalid(
      Object.fromEntries(wrong.map(([name, message]) => [name, { code: 'rest_invalid_param', message, data: null }])),
    )
  return read
}

/**
 * The query with keys for values and the filters of the saved segment that it names.
 * @throws ApiError 400 naming each filter that is not understood, and the segment if there is none
 */
export const readFilters = async <Query extends { saved?: readonly Filters[] }>(
  query: Query,
  { read, language, isFixed }: Caller & { isFixed: boolean },
): Promise<Query & { saved?: readonly Filters[] }> => {
  const { segment } = query as { segment?: string }
  if (segment !== undefined && isFixed) throw invalidParam('segment', 'A share link does not choose segments.')
  const filters = readAll(filtersIn(query), language)
  return {
    ...query,
    property: undefined,
    ...filters,
    saved: segment === undefined ? [] : [await readSaved(segment, read)],
  }
}

/** What the filters of a share link or of a password select by themselves; null for all visits. */
export const readFixed = async (
  { segment, ...filters }: Filters,
  { read, language }: Caller,
): Promise<Segment | null> =>
  readSegment({
    ...readAll(filters, language),
    saved: segment === undefined ? [] : [await readSaved(segment, read)],
  })
