// Statements that differ from one rollup to another by names alone are made here, from the rows of tables.ts.

/** A rollup table, as its statements are made from it. */
export type TableShape = {
  name: string
  /** The columns of its primary key, in this order. */
  key: readonly string[]
  /** Figures that are added up. */
  sums: readonly string[]
  /** Figures whose maximum counts. */
  maxima?: readonly string[]
  /** Whether it also holds months and the like, in a column `period`; otherwise it has days only, in a column `day`. */
  longer: boolean
  /** For a table with several rollups: the column and the values that distinguish them. */
  kinds?: { column: string; values: readonly string[] }
}

/** What breakdowns group visits by: a column of the visit, and how the table that it refers to is joined. */
const visitColumns = {
  client: 'join client c on c.id = v.id',
  place: 'left join place p on p.id = v.id',
  origin: 'join origin o on o.id = v.id',
  campaign: 'join campaign c on c.id = v.id',
  screen: 'left join label l on l.id = v.id',
  language: 'left join label l on l.id = v.id',
  timezone: 'left join label l on l.id = v.id',
} as const

export type VisitColumn = keyof typeof visitColumns

/**
 * A dimension: the column of visits it is read from, its value, and what qualifies the value (the country of a city).
 */
export type Dimension = { of: VisitColumn; value: string; within?: string }

const commas = (parts: readonly string[]): string => parts.join(', ')
const quoted = (text: string): string => `'${text}'`

export const dateColumn = ({ longer }: TableShape): 'period' | 'day' => (longer ? 'period' : 'day')

export const figuresOf = ({ sums, maxima = [] }: TableShape): string[] => [...sums, ...maxima]

const totals = ({ sums, maxima = [] }: TableShape): string =>
  commas([...sums.map(name => `sum(${name})`), ...maxima.map(name => `max(${name})`)])

/** A condition for the rows of some periods. It names the kinds because the key begins with them. */
export const rowsOf = (shape: TableShape, periods: string): string => {
  const { kinds } = shape
  const ofPeriods = `${dateColumn(shape)} ${periods}`
  return kinds === undefined
    ? ofPeriods
    : `${kinds.column} in (${commas(kinds.values.map(quoted))})\n  and ${ofPeriods}`
}

/** Deletes the rows of a period. */
export const clearStatement = (shape: TableShape): string =>
  `delete from ${shape.name}\nwhere ${rowsOf(shape, '= @period')}`

/** How many rows a period lacks or has beyond those that were derived. */
export const compareStatement = (shape: TableShape): string => {
  const derived = `select * from new_${shape.name}`
  const stored = `select * from ${shape.name} where ${dateColumn(shape)} = @period`
  return `select count(*) as rows
from (
  select * from (${derived} except ${stored})
  union all
  select * from (${stored} except ${derived})
)`
}

/** Adds the derived rows to those that are stored; they may be differences. */
export const mergeStatement = (shape: TableShape): string => {
  const { name, key, sums, maxima = [] } = shape
  const changes = [
    ...sums.map(figure => `${figure} = ${figure} + excluded.${figure}`),
    ...maxima.map(figure => `${figure} = max(${figure}, excluded.${figure})`),
  ]
  return `insert into ${name} (${commas([...key, ...figuresOf(shape)])})
select ${commas(key)}, ${totals(shape)}
from new_${name}
group by ${commas(key)}
on conflict (${commas(key)}) do update
set ${changes.join(',\n  ')}`
}

/** Derives the rows of a longer period by adding up its parts. */
export const sumStatement = (shape: TableShape): string => {
  const { name, key } = shape
  const period = dateColumn(shape)
  return `insert into new_${name} (${commas([...key, ...figuresOf(shape)])})
select ${commas(key.map(column => (column === period ? 'cast(@period as integer)' : column)))}, ${totals(shape)}
from ${name}
where ${rowsOf(shape, 'in (select value from json_each(@parts))')}
group by ${commas(key.filter(column => column !== period))}`
}

/** The temporary table of the rows that a derivation gives, shaped like the table itself. */
export const createDerivedTable = ({ name }: TableShape): string =>
  `create temp table if not exists new_${name} as select * from ${name} where false;`

export const clearDerivedTable = ({ name }: TableShape): string => `delete from temp.new_${name};`

export const visitGroups = Object.keys(visitColumns) as VisitColumn[]

/** The temporary table of visits grouped by a column. */
export const visitTable = (column: VisitColumn): string => `visit_${column}`

/**
 * Its rows either sum up all visits whose visitor and session have no other visit, or are one of the few others: there
 * the figures are 0, and visitor and session are named, to be counted once where several fall together.
 */
export const createVisitTable = (column: VisitColumn): string =>
  `create temp table if not exists ${visitTable(column)} (
  id integer,
  visitors integer not null,
  sessions integer not null,
  views integer not null,
  bounces integer not null,
  visitor_id integer,
  session_id integer,
  began integer not null,
  bounced integer not null
);`

export const clearVisitTable = (column: VisitColumn): string => `delete from temp.${visitTable(column)};`

/** Puts visits that were counted from packed days into a table of grouped visits. */
export const loadPackedVisits = (column: VisitColumn): string =>
  `${clearVisitTable(column)}
insert into temp.${visitTable(column)}
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = ${quoted(column)};`

/** Groups visits by a column, see `createVisitTable`. */
export const groupStatement = (column: VisitColumn): string => {
  const id = `${column}_id`
  // Visits without a campaign are in none of its breakdowns.
  const known = column === 'campaign' ? `\n  and ${id} is not null` : ''
  return `insert into ${visitTable(column)} (
  id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
)
select ${id}, sum(views > 0), sum(began), sum(views), sum(bounced), null, null, 0, 0
from visit
where is_only_visit${known}
group by ${id}
union all
select ${id}, 0, 0, views, 0, visitor_id, session_id, began, bounced
from visit
where not is_only_visit${known}`
}

const visitFigures = `@sign * (sum(v.visitors) + count(distinct iif(v.views > 0, v.visitor_id, null))),
  @sign * (sum(v.sessions) + count(distinct iif(v.began, v.session_id, null))),
  @sign * sum(v.views),
  @sign * (sum(v.bounces) + count(distinct iif(v.bounced, v.session_id, null)))`

/** Derives the values of one dimension. */
export const dimensionStatement = (name: string, { of, value, within = 'null' }: Dimension): string =>
  `insert into new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select '${name}', @day, ifnull(${value}, '') as value, ifnull(${within}, '') as within,
  ${visitFigures}
from ${visitTable(of)} v
${visitColumns[of]}
group by value, within`

export const utmKeys = ['source', 'medium', 'campaign', 'term', 'content'] as const

/** Derives the values of grouped UTM keys, of visits that have at least one of them. */
export const utmStatement = (grouping: string): string => {
  const grouped = grouping.split(',')
  const values = utmKeys.map(key => (grouped.includes(key) ? `ifnull(c.${key}, '')` : "''"))
  return `insert into new_utm_rollup (grouping, period, ${commas(utmKeys)}, visitors, sessions, views, bounces)
select '${grouping}', @day, ${commas(values)},
  ${visitFigures}
from ${visitTable('campaign')} v
${visitColumns.campaign}
where ${grouped.map(key => `c.${key} is not null`).join(' or ')}
group by ${commas(values.filter(value => value !== "''"))}`
}
