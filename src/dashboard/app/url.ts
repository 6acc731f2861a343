// The state of the page is its address: read from it and written to it.
import { comparisons } from '../../lib/earlier-range.ts'
import { currencyCode } from '../../lib/money-text.ts'
import { literalValue, readFilterText, valueAlone, writeFilterText } from '../../reports/filters/syntax.ts'
import {
  filterKeys,
  isPropertyFilter,
  type PropertyFilter,
  type FilterKey as ReportFilter,
} from '../../reports/filters/table.ts'
import { isDay, type Span } from './days.ts'
import { type Interval, intervals, presets } from './periods.ts'

export { filterKeys }

/** A filter of the reports; `segment` is a saved one, by its id. */
export type FilterKey = 'segment' | ReportFilter | PropertyFilter
/** In `values` only `*` and `\*` have a meaning, where the filter takes patterns. */
export type Filter = { key: FilterKey; included: boolean; values: readonly string[] }
export const views = ['overview', 'sites', 'realtime', 'revenue', 'ask', 'settings', 'system'] as const
/** The views of the navigation, and that of one page, which is the one that the filters name. */
export type View = (typeof views)[number] | 'page'
export const compares = [...comparisons, 'custom', 'off'] as const
export type Compare = (typeof compares)[number]

export type State = {
  view: View
  /** Name of a preset, `custom` with from and to, or null for the usual one. */
  period: string | null
  from: string | null
  to: string | null
  /** The address asks for days, or compares with days, that are not a range. */
  wrongDays: boolean
  /** `custom` comes with `compareFrom` and `compareTo`. */
  compare: Compare
  compareFrom: string | null
  compareTo: string | null
  interval: Interval | null
  metric: string | null
  /** The currency of reports about orders. */
  currency: string | null
  filters: readonly Filter[]
  /** Which tab of a panel is open, by panel. */
  tabs: Readonly<Record<string, string>>
  /** The report shown in full, with how it is searched, sorted and paged. */
  details: string | null
  search: string
  sort: string | null
  at: number
  /** The goal whose conversions rows show, by its id. */
  goal: string | null
  /** The event whose properties are shown. */
  event: string | null
  /** The page whose paths are shown. */
  paths: string | null
  /** The question whose answer is open. */
  ask: string | null
}

/** A filter by just this text, in which an asterisk stands for itself. */
export const filterBy = (key: FilterKey, text: string): Filter => ({
  key,
  included: true,
  values: [literalValue(text)],
})

/** `!a,b\,c`, as the API reads it. A segment is named by itself. */
export const filterText = ({ key, included, values }: Filter): string =>
  key === 'segment' ? (values[0] ?? '') : writeFilterText(included, values)

export const readFilter = (key: FilterKey, text: string): Filter => {
  if (key === 'segment') return { key, included: true, values: [text] }
  const { included, values } = readFilterText(key, text)
  return { key, included, values: values.map(({ raw }) => valueAlone(raw)) }
}

/** The filters among parameters of a report, in the order in which they are shown. */
export const filtersOf = (params: Readonly<Record<string, string>>): Filter[] =>
  ['segment' as const, ...filterKeys, ...Object.keys(params).filter(isPropertyFilter).sort()].flatMap(key =>
    params[key] === undefined ? [] : [readFilter(key, params[key])],
  )

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | null =>
  all.find(one => one === text) ?? null

const panels = [
  'sources',
  'pages',
  'places',
  'devices',
  'events',
  'times',
  'origins',
  'goods',
  'funnel',
  'funnels',
  'settings',
] as const
export type PanelName = (typeof panels)[number]

const daysOf = (from: string | null, to: string | null): Span | null =>
  isDay(from) && isDay(to) && from <= to ? { from, to } : null

/** @param home the view of an address that says nothing */
export const readState = (search: string, home: View = 'overview'): State => {
  const query = new URLSearchParams(search)
  const days = daysOf(query.get('from'), query.get('to'))
  const others = daysOf(query.get('compare_from'), query.get('compare_to'))
  const period = query.get('period')
  const compare = oneOf(compares, query.get('compare')) ?? 'previous'
  return {
    view: oneOf([...views, 'page' as const], query.get('view')) ?? (search === '' ? home : 'overview'),
    period: days !== null ? 'custom' : presets.some(({ id }) => id === period) ? period : null,
    from: days?.from ?? null,
    to: days?.to ?? null,
    wrongDays: (days === null && (query.has('from') || query.has('to'))) || (compare === 'custom' && others === null),
    compare: compare === 'custom' && others === null ? 'previous' : compare,
    compareFrom: compare === 'custom' ? (others?.from ?? null) : null,
    compareTo: compare === 'custom' ? (others?.to ?? null) : null,
    interval: oneOf(intervals, query.get('interval')),
    metric: query.get('metric'),
    currency: currencyCode.exec(query.get('currency') ?? '')?.[0] ?? null,
    filters: filtersOf(Object.fromEntries(query)),
    tabs: Object.fromEntries(
      panels.flatMap(panel => (query.has(`${panel}_tab`) ? [[panel, query.get(`${panel}_tab`) ?? '']] : [])),
    ),
    details: query.get('details'),
    search: query.get('q') ?? '',
    sort: query.get('sort'),
    at: Math.max(0, Number.parseInt(query.get('at') ?? '0', 10) || 0),
    goal: query.get('by_goal'),
    event: query.get('open'),
    paths: query.get('paths'),
    ask: query.get('ask'),
  }
}

/** The query string of a state; empty for the default one, in the view `home`. */
export const writeState = (state: State, home: View = 'overview'): string => {
  const custom = state.from !== null && state.to !== null
  const pairs: [string, string | null][] = [
    ['period', custom ? null : state.period],
    ['from', custom ? state.from : null],
    ['to', custom ? state.to : null],
    ['compare', state.compare === 'previous' ? null : state.compare],
    ['compare_from', state.compare === 'custom' ? state.compareFrom : null],
    ['compare_to', state.compare === 'custom' ? state.compareTo : null],
    ['interval', state.interval],
    ['metric', state.metric],
    ['currency', state.currency],
    ...state.filters.map((filter): [string, string] => [filter.key, filterText(filter)]),
    ...Object.entries(state.tabs).map(([panel, tab]): [string, string] => [`${panel}_tab`, tab]),
    ['details', state.details],
    ['q', state.search === '' ? null : state.search],
    ['sort', state.sort],
    ['at', state.at === 0 ? null : String(state.at)],
    ['by_goal', state.goal],
    ['open', state.event],
    ['paths', state.paths],
    ['ask', state.ask],
  ]
  const rest = pairs.flatMap(([key, value]) =>
    value === null ? [] : [`${key}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%2C', ',')}`],
  )
  const usual = rest.length === 0 ? home : 'overview'
  const text = [...(state.view === usual ? [] : [`view=${state.view}`]), ...rest].join('&')
  return text === '' ? '' : `?${text}`
}

/** Filters by a value, or removes that filter if it is already set. */
export const toggleFilter = (filters: readonly Filter[], key: FilterKey, value: string): Filter[] => {
  const old = filters.find(filter => filter.key === key)
  const others = filters.filter(filter => filter.key !== key)
  return old?.included === true && old.values.length === 1 && old.values[0] === value
    ? others
    : [...others, { key, included: true, values: [value] }]
}

/** Filters as parameters of a report. */
export const filterParams = (filters: readonly Filter[]): Record<string, string> =>
  Object.fromEntries(filters.map(filter => [filter.key, filterText(filter)]))
