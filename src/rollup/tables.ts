// The rollup tables: one row a table, from which all statements are made but the fill that derives its rows.
import * as v from 'valibot'
import { none, type Query, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/rollup.sql'
import { dimensions } from './dimensions.ts'
import {
  clearStatement,
  compareStatement,
  dimensionStatement,
  groupStatement,
  loadStatement,
  mergeStatement,
  sumStatement,
  type TableShape,
  utmKeys,
  utmStatement,
  visitGroups,
  visitTable,
} from './statements.ts'

const sql = statements(sqlText)

const period = v.object({ period: v.number() })
const parts = v.object({ period: v.number(), parts: v.string() })
const bounds = { first_view_id: v.number(), next_view_id: v.number() }

/**
 * Parameters of a day's statements: the day with its first second and how its hours are shifted (see `hourShift` of
 * Zone), the bounds in seconds (half-open) of what is read of it, and the range of view ids (half-open).
 */
export const spanSchema = v.object({
  day: v.number(),
  day_start: v.number(),
  shifted_from: v.number(),
  shifted_by: v.number(),
  start: v.number(),
  end: v.number(),
  ...bounds,
})
export type Span = v.InferOutput<typeof spanSchema>

/** `sign` is 1 for rows to add and -1 for rows to subtract. */
const fillSchema = v.object({ ...spanSchema.entries, sign: v.number() })

/** A statement with those of the parameters that its text uses. */
export const spanQuery = (sql: string, notes?: { name?: string; reads?: readonly string[] }): Query => {
  const entries = Object.entries(fillSchema.entries).filter(([name]) => new RegExp(`@${name}\\b`).test(sql))
  return query(sql, v.object(Object.fromEntries(entries)), none, notes)
}

/** The visits of the day, from which breakdowns are derived; these run first. */
export const visits = [sql('rollup.visit.fill'), sql('rollup.visit.mark-shared')].map(one => spanQuery(one))

/** Visits grouped by what breakdowns distinguish: grouping them once by an id is half of each breakdown's work. */
export const visitGroupQueries: readonly { table: string; query: Query }[] = visitGroups.map(column => ({
  table: visitTable(column),
  query: spanQuery(groupStatement(column), { name: `rollup.visit-${column}.fill` }),
}))

/** The hosts of views. Not grouped by visit, as a visit can view pages of several. */
export const hostQuery = spanQuery(sql('rollup.host.fill'))

/** The dimensions that reports offer; `system` is read by /dimensions/os/browser only. */
export const dimensionKinds = [...Object.keys(dimensions), 'host']
export const rolledUpDimensions = dimensionKinds.filter(name => name !== 'system')

/** Every set of UTM keys that reports group by. */
export const utmGroupings = [...utmKeys, 'source,medium', 'source,medium,campaign', utmKeys.join()]

/** A rollup table, with the statements that derive a day of it into its temporary table (`fills`). */
type TableRow = TableShape & { fills: readonly Query[] }

const traffic = ['visitors', 'sessions', 'views', 'bounces']

/** Rollups of views and sessions: each is a sum over visitors. */
const visitRows: readonly TableRow[] = [
  {
    name: 'site_day',
    key: ['day'],
    sums: [...traffic, 'seconds'],
    longer: false,
    fills: [spanQuery(sql('rollup.site.fill'))],
  },
  {
    name: 'hour_day',
    key: ['day', 'hour'],
    sums: [...traffic, 'seconds'],
    longer: false,
    fills: [spanQuery(sql('rollup.hour.fill'))],
  },
  {
    name: 'page_rollup',
    key: ['period', 'page_id'],
    sums: [
      ...['visitors', 'sessions', 'views', 'entries', 'entry_visitors', 'exits', 'exit_visitors', 'bounces'],
      ...['seconds', 'timed_views', 'scroll_sum', 'scroll_views'],
    ],
    longer: true,
    fills: [spanQuery(sql('rollup.page.fill'))],
  },
  {
    name: 'title_day',
    key: ['page_id', 'day', 'title_id'],
    sums: ['views'],
    longer: false,
    keptWithVisits: true,
    fills: [spanQuery(sql('rollup.title.fill'))],
  },
  {
    name: 'source_rollup',
    key: ['period', 'origin_id'],
    sums: traffic,
    longer: true,
    fills: [spanQuery(sql('rollup.source.fill'), { reads: [visitTable('origin')] })],
  },
  {
    name: 'dimension_rollup',
    key: ['dimension', 'period', 'value', 'within'],
    sums: traffic,
    longer: true,
    kinds: { column: 'dimension', values: dimensionKinds },
    fills: [
      ...Object.entries(dimensions).map(([name, dimension]) =>
        spanQuery(dimensionStatement(name, dimension), {
          name: `rollup.dimension-${name.replaceAll('_', '-')}.fill`,
          reads: [visitTable(dimension.of)],
        }),
      ),
      hostQuery,
    ],
  },
  {
    name: 'utm_rollup',
    key: ['grouping', 'period', ...utmKeys],
    sums: traffic,
    longer: true,
    kinds: { column: 'grouping', values: utmGroupings },
    fills: utmGroupings.map(grouping =>
      spanQuery(utmStatement(grouping), {
        name: `rollup.utm-${grouping.replaceAll(',', '-')}.fill`,
        reads: [visitTable('campaign')],
      }),
    ),
  },
]

/** Rollups of events. */
const eventRows: readonly TableRow[] = [
  {
    name: 'event_rollup',
    key: ['period', 'name_id'],
    sums: ['total', 'visitors', 'sessions', 'value_sum'],
    maxima: ['last_event_id'],
    longer: true,
    fills: [spanQuery(sql('rollup.event.fill'), { reads: ['day_event'] })],
  },
  {
    name: 'event_property_rollup',
    key: ['period', 'name_id', 'key_id', 'value_id'],
    sums: ['total'],
    longer: true,
    keptWithVisits: true,
    fills: [spanQuery(sql('rollup.event-property.fill'), { reads: ['day_event'] })],
  },
  {
    name: 'event_page_rollup',
    key: ['period', 'name_id', 'page_id'],
    sums: ['total'],
    longer: true,
    fills: [spanQuery(sql('rollup.event-page.fill'), { reads: ['day_event'] })],
  },
  {
    name: 'funnel_day',
    key: ['day', 'stage'],
    sums: ['sessions'],
    longer: false,
    fills: [spanQuery(sql('rollup.funnel.fill'), { reads: ['day_event'] })],
  },
]

/**
 * A rollup table with its statements: they load the stored rows of a period into the temporary table, compare the
 * derived rows with the stored ones, clear these, merge the derived rows, and sum a longer period from its parts.
 */
export type RollupTable = TableRow & {
  load: Query<typeof period>
  compare: Query<typeof period>
  clear: Query<typeof period>
  merge: Query
  sum: Query<typeof parts> | null
}

/** The name prefix of a table's statements. */
const prefixOf = ({ name }: TableShape): string => `rollup.${name.replace(/_(day|rollup)$/, '').replaceAll('_', '-')}`

const withStatements = (table: TableRow): RollupTable => {
  const name = (kind: string) => ({ name: `${prefixOf(table)}.${kind}` })
  return {
    ...table,
    load: query(loadStatement(table), period, none, name('load')),
    compare: query(compareStatement(table), period, v.object({ rows: v.number() }), name('compare')),
    clear: query(clearStatement(table), period, none, name('clear')),
    merge: query(mergeStatement(table), none, none, name('merge')),
    sum: table.longer ? query(sumStatement(table), parts, none, name('sum')) : null,
  }
}

export const visitTables = visitRows.map(withStatements)
export const eventTables = eventRows.map(withStatements)
export const rollupTables: readonly RollupTable[] = [...visitTables, ...eventTables]

/** Clear the event names and funnel stages that are recounted. */
export const clearNewQueries = [sql('rollup.event.clear-new'), sql('rollup.funnel.clear-new')].map(one =>
  query(one, period),
)
