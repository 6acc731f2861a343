// Writes a day of sums.
import { type RollupRows, rollupRows } from '../../archive/rollups.ts'
import { other } from '../../collection/store/cardinality-limit.ts'
import type { Db } from '../../database/query.ts'
import { continentOf } from '../../geoip/place.ts'
import type { Day } from '../../lib/time.ts'
import { clearDerived, replacePeriod } from '../../rollup/derive.ts'
import { breakPeriods } from '../../rollup/periods.ts'
import { dimensionKinds, rollupTables, type Span } from '../../rollup/tables.ts'
import type { Rows } from '../archive/rows.ts'
import { complete, type DayTotals, figures, foldRows, numberOf, restOf, sumOf } from './add-up.ts'
import type { Notes } from './notes.ts'
import type { SumRow } from './sums.ts'

const rowsByTable = new Map(rollupRows.map(rows => [rows.table, rows]))

/** The columns by which rows of a table are one. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  site: [],
  hour: ['hour'],
  page: ['path', 'host'],
  source: ['channel', 'source', 'domain'],
  dimension: ['dimension', 'value', 'within'],
  utm: ['grouping', 'source', 'medium', 'campaign', 'term', 'content'],
  event: ['name'],
  event_property: ['name', 'key', 'value'],
  event_page: ['name', 'path', 'host'],
}

type Group = { name: string; rows: SumRow[]; unknown: SumRow }

/** The time of a day is that on its pages, as in days of single visits; else what the source says of its visits. */
const totalsOf = (site: SumRow, pageRows: readonly SumRow[]): DayTotals => {
  const onPages = sumOf(pageRows, 'seconds')
  const sessions = numberOf(site, site.sessions === undefined ? 'visitors' : 'sessions')
  const visitors = numberOf(site, site.visitors === undefined ? 'sessions' : 'visitors')
  return {
    visitors,
    sessions,
    views: numberOf(site, 'views'),
    bounces: Math.min(numberOf(site, 'bounces'), sessions),
    seconds: onPages > 0 ? onPages : numberOf(site, 'seconds'),
  }
}

/** Adds what is left of the totals to the unknown value; rows of more sessions than the day has are left out. */
const addUp = (day: Day, { name, rows, unknown }: Group, totals: DayTotals, notes: Notes): SumRow[] => {
  for (const figure of complete(rows, totals)) notes.estimated(name, figure)
  const isTooMuch = sumOf(rows, 'sessions') > totals.sessions
  if (isTooMuch) notes.refuse(name, day)
  const kept = isTooMuch ? [] : rows
  const { rest, clamped } = restOf(kept, totals)
  notes.clamp(clamped)
  if (rest.sessions > 0 && rows.length > 0) notes.unknown(name, rest.sessions)
  const isEmpty = rest.sessions === 0 && rest.views === 0
  const keys = keysOf[unknown.table] ?? []
  return isEmpty ? kept : foldRows([...kept, { ...unknown, ...rest }], keys)
}

const dimensionRow = (dimension: string, value: string): SumRow => ({
  table: 'dimension',
  dimension,
  value,
  within: '',
})

const byDimension = (rows: readonly SumRow[], dimension: string): SumRow[] =>
  rows.filter(row => row.dimension === dimension)

/** What follows from other rows, so that it agrees with them. */
const derived = (rows: readonly SumRow[], dimension: string, valueIn: (row: SumRow) => string): SumRow[] =>
  foldRows(
    rows.map(row => ({
      ...dimensionRow(dimension, valueIn(row)),
      ...Object.fromEntries(figures.map(figure => [figure, numberOf(row, figure)])),
    })),
    ['value'],
  )

const derivedDimensions = new Set(['channel', 'continent'])

const breakdowns = (day: Day, tables: ReadonlyMap<string, SumRow[]>, totals: DayTotals, notes: Notes): SumRow[] => {
  const given = tables.get('dimension') ?? []
  const source = addUp(
    day,
    {
      name: 'source',
      rows: tables.get('source') ?? [],
      unknown: { table: 'source', channel: 'Direct', source: 'Direct', domain: '' },
    },
    totals,
    notes,
  )
  const dimensions = dimensionKinds
    .filter(name => !derivedDimensions.has(name))
    .flatMap(name => {
      const unknown = dimensionRow(name, name === 'device' ? 'other' : name === 'host' ? notes.host : '')
      return addUp(day, { name, rows: byDimension(given, name), unknown }, totals, notes)
    })
  const continents = derived(
    byDimension(dimensions, 'country'),
    'continent',
    ({ value }) => continentOf(String(value)) ?? '',
  )
  const utm = tables.get('utm') ?? []
  complete(utm, totals)
  return [
    ...source,
    ...dimensions,
    ...continents,
    ...derived(source, 'channel', ({ channel }) => String(channel)),
    ...utm,
  ]
}

const pageFigures = [
  'entries',
  'entry_visitors',
  'exits',
  'exit_visitors',
  'seconds',
  'timed_views',
  'scroll_sum',
  'scroll_views',
]

/** Views, entries and exits of pages add up; a visit has several pages, so that sessions do not. */
const pages = (day: Day, rows: SumRow[], totals: DayTotals, notes: Notes): SumRow[] => {
  for (const figure of complete(rows, totals)) if (figure !== 'bounces') notes.estimated('page', figure)
  notes.clamp(Math.max(0, sumOf(rows, 'views') - totals.views))
  for (const [figure, name] of [
    ['entries', 'entry_page'],
    ['exits', 'exit_page'],
  ] as const) {
    if (sumOf(rows, figure) <= totals.sessions) continue
    notes.refuse(name, day)
    for (const row of rows)
      Object.assign(row, { [figure]: 0, [figure === 'entries' ? 'entry_visitors' : 'exit_visitors']: 0 })
  }
  const rest = {
    views: Math.max(0, totals.views - sumOf(rows, 'views')),
    entries: totals.sessions - sumOf(rows, 'entries'),
    exits: totals.sessions - sumOf(rows, 'exits'),
    bounces: Math.max(0, totals.bounces - sumOf(rows, 'bounces')),
  }
  const sessions = Math.min(totals.sessions, Math.max(rest.views, rest.entries, rest.exits))
  const visitors = Math.min(totals.visitors, sessions)
  const page = { table: 'page', path: other, host: notes.host, ...rest, sessions, visitors }
  const left = {
    ...page,
    entry_visitors: Math.min(rest.entries, visitors),
    exit_visitors: Math.min(rest.exits, visitors),
  }
  if (rest.views > 0 && rows.length > 0) notes.unknown('page', rest.views)
  const isEmpty = rest.views + rest.entries + rest.exits === 0
  const all = isEmpty ? rows : foldRows([...rows, left], keysOf.page ?? [])
  return all.map(row => ({ ...row, ...Object.fromEntries(pageFigures.map(name => [name, numberOf(row, name)])) }))
}

/** When the last of them was is not known. */
const events = (rows: readonly SumRow[]): SumRow[] =>
  rows.map(row => {
    const visitors = row.visitors === undefined ? numberOf(row, 'total') : numberOf(row, 'visitors')
    return { sessions: visitors, ...row, visitors, value_sum: 0, last_event_id: 0 }
  })

/** The rows of a day as they are stored; null for a day without totals. */
const rowsOf = (span: Span, staged: readonly SumRow[], notes: Notes): SumRow[] | null => {
  const { day } = span
  const tables = new Map<string, SumRow[]>()
  for (const [table, keys] of Object.entries(keysOf))
    tables.set(
      table,
      foldRows(
        staged.filter(row => row.table === table),
        keys,
      ),
    )
  const [site] = tables.get('site') ?? []
  if (site === undefined) return null
  const totals = totalsOf(site, tables.get('page') ?? [])
  const hours = tables.get('hour') ?? []
  complete(hours, totals)
  return [
    { table: 'site', ...totals },
    ...hours.map(row => ({ seconds: 0, ...row })),
    ...breakdowns(day, tables, totals, notes),
    ...pages(day, tables.get('page') ?? [], totals, notes),
    ...events(tables.get('event') ?? []),
    ...(tables.get('event_property') ?? []),
    ...(tables.get('event_page') ?? []),
  ]
}

const columnsOf = ({ line }: RollupRows): string[] => Object.keys(line.entries)

/**
 * Writes a day in the caller's transaction.
 * @returns whether it has totals; without them nothing is written
 */
export const writeSums = (db: Db, span: Span, staged: readonly SumRow[], rows: Rows, notes: Notes): boolean => {
  const complete = rowsOf(span, staged, notes)
  if (complete === null) return false
  clearDerived(db)
  for (const { table, ...row } of complete) {
    const known = rowsByTable.get(table)
    if (known === undefined) continue
    const line = Object.fromEntries(columnsOf(known).map(name => [name, row[name] ?? 0]))
    rows.rollup(known, line, span)
  }
  replacePeriod(db, rollupTables, span.day)
  breakPeriods(db, span.day)
  return true
}
