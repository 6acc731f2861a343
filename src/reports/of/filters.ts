import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/filter-values.sql'
import { rangeEntries } from '../asked-range.ts'
import { searchText } from '../breakdown.ts'
import { type EndedTimes, endedTimes } from '../clock-hours.ts'
import { labelOf, namesIn } from '../filters/closed.ts'
import { pageSearch } from '../filters/read.ts'
import { filterOf, isClosed, isFilterKey, isPropertyFilter, propertyPrefix } from '../filters/table.ts'
import { countGoals } from '../goals/count.ts'
import { countFunnels } from '../goals/count-funnels.ts'
import { readFunnels, readGoals } from '../goals/definitions.ts'
import { type BoundQuery, bindParameters, type Read } from '../pool.ts'
import type { Range } from '../range.ts'
import type { Count } from '../read-part.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'
import { dimensionTypes, readDimension } from './dimensions.ts'

const sql = statements(sqlText)

const found = v.object({ value: v.string(), sessions: v.number() })
const searched = { search: v.nullable(v.string()), limit: v.number() }
const pagesQuery = query(sql('pages'), v.object({ key: v.string(), ...searched }), found, {
  reads: ['page_rollup', 'period'],
})
const sourcesQuery = query(sql('sources'), v.object(searched), found, { reads: ['source_rollup', 'period'] })
const utmQuery = query(sql('utm'), v.object({ grouping: v.string(), ...searched }), found, {
  reads: ['utm_rollup', 'period'],
})
const eventsQuery = query(sql('events'), v.object(searched), found, { reads: ['event_rollup', 'period'] })
const propertiesQuery = query(sql('segment.property-values'), v.object({ property: v.string(), ...searched }), found, {
  reads: ['property_session'],
})

const maxValues = 50
/** Of dimensions the most frequent values are searched, as their names are in no table. */
const maxSearched = 5000

type Value = { value: string; label: string; sessions: number }
type Request = {
  key: string
  search: string | null
  range: Range
  read: Read
  count: Count
  isFiltered: boolean
  times: EndedTimes
  language: string
}

const bindValues = ({ key, search }: Request): BoundQuery<typeof found> => {
  const common = { search, limit: maxValues }
  if (isPropertyFilter(key))
    return bindParameters(propertiesQuery, { property: key.slice(propertyPrefix.length), ...common })
  const lookUp = isFilterKey(key) ? filterOf(key).lookUp : undefined
  if (lookUp === 'origins') return bindParameters(sourcesQuery, common)
  if (lookUp === 'events') return bindParameters(eventsQuery, common)
  if (lookUp === 'campaigns') return bindParameters(utmQuery, { grouping: key.slice(4), ...common })
  return bindParameters(pagesQuery, { key, ...common })
}

/** Whether the value, its name or another name of it holds the text. */
const isNamed = (key: string, value: string, label: string, search: string, language: string): boolean =>
  [value, label, ...(isClosed(key) ? namesIn(key, value, language) : [])].join('\n').toLowerCase().includes(search)

/** The filter of suspect visits says yes or no, its dimension says who. */
const filterValue = (key: string, value: string): string =>
  key !== 'suspect' ? value : value === 'suspect' ? '1' : '0'

const valuesOfDimension = async ({ key, search, range, read, times, language }: Request): Promise<Value[]> => {
  const { rows } = await readDimension({ type: key, range, read, times, limit: maxSearched, offset: 0 })
  // Regions and cities of one name lie in several countries.
  const sums = new Map<string, number>()
  for (const { key: value, sessions } of rows)
    if (value !== null && sessions > 0) sums.set(value, (sums.get(value) ?? 0) + sessions)
  return [...sums]
    .map(([found, sessions]): [string, number] => [filterValue(key, found), sessions])
    .map(([value, sessions]) => ({ value, label: labelOf(key, value, language), sessions }))
    .filter(({ value, label }) => search === null || isNamed(key, value, label, search, language))
    .sort((a, b) => b.sessions - a.sessions || (a.value < b.value ? -1 : 1))
    .slice(0, maxValues)
}

/** Goals and funnels are named by their ids, because their names can change. */
const valuesOfGoals = async ({ key, search, read, count, isFiltered }: Request): Promise<Value[]> => {
  const goals = key === 'goal' ? await readGoals(read) : []
  const funnels = key === 'funnel' ? await readFunnels(read) : []
  const counted = await countGoals(goals, { read, count, isFiltered })
  const reached = await countFunnels(funnels, { read, count })
  return [
    ...goals.map(({ id, name }, index) => ({
      value: String(id),
      label: name,
      sessions: counted[index]?.sessions ?? 0,
    })),
    ...funnels.map(({ id, name }, index) => ({
      value: String(id),
      label: name,
      sessions: reached[index]?.sessions.at(-1) ?? 0,
    })),
  ]
    .filter(({ label }) => search === null || label.toLowerCase().includes(search))
    .sort((a, b) => b.sessions - a.sessions)
    .slice(0, maxValues)
}

const valuesOf = async (request: Request): Promise<Value[]> => {
  if (dimensionTypes.includes(request.key)) return valuesOfDimension(request)
  if (request.key === 'goal' || request.key === 'funnel') return valuesOfGoals(request)
  const [rows] = await request.read([bindValues(request)])
  return rows.map(({ value, sessions }) => ({ value, label: value, sessions }))
}

export const filterValues = report({
  path: '/filters/:key',
  summary: 'The values of a filter',
  description: 'The 50 with the most visits in the range that contain the searched text; unknown values are left out.',
  params: {
    key: v.pipe(
      v.string(),
      v.maxLength(100),
      v.check(key => isFilterKey(key) || isPropertyFilter(key), 'key is the name of a filter, such as country.'),
      v.description('The name of a filter; of properties as `property.KEY`.'),
    ),
  },
  query: {
    ...rangeEntries,
    ...filterEntries,
    search: v.optional(
      v.pipe(v.string(), v.maxLength(200), v.description('Part of the value or its name, case-insensitive.')),
    ),
  },
  // Which sessions have a property is known of single visits only.
  segment: (given, { key }) => readSegment(given) ?? (isPropertyFilter(key) ? [] : null),
  few: () => null,
  lists: (_, { key }) => (key === 'entry_page' || key === 'exit_page' ? key : null),
  data: v.array(v.object({ value: v.string(), label: v.string(), sessions: countSchema })),
  metrics: ['sessions'],
  run: async ({
    query: given,
    params: { key },
    filtered: isFiltered,
    range,
    since,
    read,
    count,
    context: { zone },
    now,
    language,
  }) => {
    const times = endedTimes({ range, since, zone, now })
    const isOfPages = isFilterKey(key) && filterOf(key).lookUp === 'pages'
    const search = searchText(isOfPages ? pageSearch(given.search) : given.search)
    return { data: await valuesOf({ key, search, range, read, count, isFiltered, times, language }) }
  },
})
