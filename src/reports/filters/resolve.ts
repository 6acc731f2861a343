// Finds the numbers of the texts that filters name, once for a request, so that rows are selected by comparing numbers.
import { domainToASCII } from 'node:url'
import * as v from 'valibot'
import { classify } from '../../channel/channel.ts'
import { eventName } from '../../collection/ingest/event-fields.ts'
import { type Query, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { invalidParam } from '../../http/errors.ts'
import { plainHost } from '../../lib/plain-host.ts'
import sqlText from '../../sql/filter.sql'
import type { Segment } from '../condition.ts'
import type { ReportContext } from '../context.ts'
import { type BoundQuery, bindParameters, type ReadOptions } from '../pool.ts'
import { pagesNamed, patternNamed } from './page-value.ts'
import { gap, type Value } from './syntax.ts'
import { type FilterSlot, filterOf, isClosed, type LookUp } from './table.ts'

const sql = statements(sqlText)

/** The numbers of a wanted text, as a list in JSON. */
const found = v.object({ wanted: v.string(), ids: v.string() })
const texts = { values: v.string() }
const patterns = { patterns: v.string(), limit: v.number() }
const keyed = { key: v.string(), ...texts }

const pagesQuery = query(sql('pages'), v.object({ ...texts, ...patterns, gap: v.string() }), found)
const hostsQuery = query(sql('hosts'), v.object({ ...texts, patterns: v.string() }), found)
const eventsQuery = query(sql('events'), v.object({ ...texts, ...patterns }), found)
const originsQuery = query(sql('origins'), v.object({ ...keyed, ...patterns }), found)
const campaignsQuery = query(sql('campaigns'), v.object({ ...keyed, ...patterns }), found)
const labelsQuery = query(sql('labels'), v.object({ ...texts, patterns: v.string() }), found)
const placesQuery = query(sql('places'), v.object(keyed), found)
const clientsQuery = query(sql('clients'), v.object(keyed), found)
const propertiesQuery = query(sql('properties'), v.object({ property: v.string(), ...texts }), found)

type Condition = Segment[number]

/** `noun` is what a pattern can fit too many of; a session without a row of what is `optional` has the number 0. */
const lookUps: Readonly<Record<LookUp | 'properties', { query: Query; noun?: string; optional?: true }>> = {
  pages: { query: pagesQuery, noun: 'pages' },
  hosts: { query: hostsQuery, noun: 'hosts' },
  origins: { query: originsQuery, noun: 'sources' },
  campaigns: { query: campaignsQuery, noun: 'UTM values', optional: true },
  places: { query: placesQuery, optional: true },
  clients: { query: clientsQuery },
  labels: { query: labelsQuery, optional: true },
  events: { query: eventsQuery, noun: 'events' },
  properties: { query: propertiesQuery },
}

/** Where the values of a condition are looked up; null for what is a number already, or reached. */
const lookUpOf = ({ key }: Condition): (typeof lookUps)[LookUp] | null => {
  const name = key === 'property' ? 'properties' : filterOf(key).lookUp
  return name === undefined ? null : lookUps[name]
}

export const slotOf = ({ key }: Condition): FilterSlot => (key === 'property' ? key : filterOf(key).slot)

/** A pattern that fits more is not a filter any more. */
const maxHits = 10_000

/** A host is a source under the name of its service: chatgpt.com is ChatGPT. */
const sourcesAt = (text: string): string[] => {
  if (!/^[\w-]+(?:\.[\w-]+)+$/.test(text)) return [text]
  const utm = { source: null, medium: null, campaign: null, term: null, content: null }
  const named = [`https://${text}/`, `android-app://${text}`].map(referrer =>
    classify({ referrer, utm, clickId: null, siteHosts: [] }),
  )
  return [text, ...named.flatMap(({ channel, source }) => (channel === 'Direct' ? [] : [source.toLowerCase()]))]
}

/** `de-*` is German of any region. */
const languageRange = (text: string): string | null => (text.endsWith('-*') ? text.slice(0, -2) : null)

const isOfPages = ({ key }: Condition): boolean => key !== 'property' && filterOf(key).lookUp === 'pages'

/** A host as it is stored, also of an address: müller.example is xn--mller-kva.example. */
const hostNamed = (text: string): string => {
  const host = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1] ?? text
  return plainHost(domainToASCII(plainHost(host)) || host)
}

/** The texts that a value can mean. */
const meantBy = (condition: Condition, { text, isPattern }: Value, keepQuery: readonly string[]): string[] => {
  const { key } = condition
  if (isOfPages(condition)) return isPattern ? [patternNamed(text)] : pagesNamed(text, keepQuery)
  if (isPattern) return [text]
  if (key === 'source') return [...new Set([text, hostNamed(text)])].flatMap(sourcesAt)
  if (key === 'host') return [hostNamed(text)]
  if (key === 'event') return [...new Set([text, eventName(text) ?? text])]
  const range = key === 'language' ? languageRange(text) : null
  return range === null ? [text] : [range, `${range}-${gap}`]
}

/** The texts to look up for each value, and the patterns. */
const wantedOf = (condition: Condition, keepQuery: readonly string[]): { texts: string[][]; patterns: string[] } => {
  const texts = condition.values.map(value => meantBy(condition, value, keepQuery))
  return {
    texts,
    patterns: condition.values.flatMap(({ text, isPattern }, index) => {
      const range = condition.key === 'language' ? languageRange(text) : null
      return isPattern ? (texts[index] ?? []) : range === null ? [] : [`${range}-${gap}`]
    }),
  }
}

const bindCondition = (
  condition: Condition,
  max: number,
  keepQuery: readonly string[],
): BoundQuery<typeof found> | null => {
  const statement = lookUpOf(condition)?.query
  if (statement === undefined) return null
  const { texts: wanted, patterns: fitting } = wantedOf(condition, keepQuery)
  const given: Record<string, unknown> = {
    key: condition.key,
    property: condition.key === 'property' ? condition.property : null,
    values: JSON.stringify(wanted.flat().filter(text => !fitting.includes(text))),
    patterns: JSON.stringify(fitting),
    limit: max + 1,
    gap,
  }
  const names = Object.keys(statement.params.entries)
  return bindParameters(statement, Object.fromEntries(names.map(name => [name, given[name]]))) as BoundQuery<
    typeof found
  >
}

/** The numbers of a condition's values; `ids` in the order of the values. */
export type Resolved = { condition: Condition; ids: number[][] }

const idsOf = (
  condition: Condition,
  rows: readonly v.InferOutput<typeof found>[],
  keepQuery: readonly string[],
): number[][] => {
  const { texts: wanted } = wantedOf(condition, keepQuery)
  const byText = new Map(rows.map(({ wanted: text, ids }) => [text, JSON.parse(ids) as number[]]))
  // Of the spellings of a page one counts, so that it is not added to another one.
  const idsFor = (alternatives: readonly string[]): number[] => {
    const lists = alternatives.map(text => byText.get(text) ?? [])
    return isOfPages(condition) ? (lists.find(list => list.length > 0) ?? []) : lists.flat()
  }
  return wanted.map((alternatives, index) => [
    ...idsFor(alternatives),
    ...(condition.values[index]?.text === '' && lookUpOf(condition)?.optional === true ? [0] : []),
  ])
}

const refuseTooMany = ({ condition, ids }: Resolved, max: number): void => {
  const hits = ids.reduce((sum, list, index) => sum + (condition.values[index]?.isPattern ? list.length : 0), 0)
  if (hits > max)
    throw invalidParam(condition.name, `Too many ${lookUpOf(condition)?.noun ?? 'values'} fit: at most 10,000 can.`)
}

/** Hours and weekdays are numbers already. */
const plainIds = ({ values }: Condition): number[][] => values.map(({ text }) => [Number(text)])

/** `keepQuery`: names of the parameters that identify pages, in addresses that are filtered by. */
export type LookUpOptions = ReadOptions & { keepQuery?: readonly string[] | undefined }

/**
 * Looks up the values of a segment's conditions.
 * @throws ApiError 400 for a pattern that fits too many values
 */
export const lookUp = async (
  segment: Segment,
  read: ReportContext['read'],
  { keepQuery = [], ...options }: LookUpOptions,
  max = maxHits,
): Promise<Resolved[]> => {
  const bound = segment.flatMap(condition => bindCondition(condition, max, keepQuery) ?? [])
  const answers = bound.length === 0 ? [] : await read(bound, options)
  let next = 0
  const resolved = segment.map(condition => ({
    condition,
    ids: lookUpOf(condition) === null ? plainIds(condition) : idsOf(condition, answers[next++] ?? [], keepQuery),
  }))
  for (const one of resolved) refuseTooMany(one, max)
  return resolved
}

/** The values of open lists that nothing in the file has, as they were written. */
export const unmatchedIn = (resolved: readonly Resolved[]): { condition: Condition; raw: string; text: string }[] =>
  resolved.flatMap(({ condition, ids }) =>
    isClosed(condition.key) || slotOf(condition) === 'reached'
      ? []
      : condition.values.flatMap(({ raw, text, isPattern }, index) =>
          ids[index]?.length === 0 && (text !== '' || isPattern) ? [{ condition, raw, text }] : [],
        ),
  )
