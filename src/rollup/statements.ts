// Generates the statements that differ between rollups only in names, from the definitions in tables.ts.

/** The shape of a rollup table, from which its statements are generated. */
export type TableShape = {
  name: string
  /** The columns of its primary key, in order. */
  key: readonly string[]
  /** Columns to be summed. */
  sums: readonly string[]
  /** Figures whose maximum counts. */
  maxima?: readonly string[]
  /** Whether it also holds longer periods, in a column `period`; otherwise only days, in a column `day`. */
  longer: boolean
  /** Whether its rows are texts of visitors, which retention deletes with the single visits. */
  keptWithVisits?: boolean
  /** For a table with several rollups: the column and the values that distinguish them. */
  kinds?: { column: string; values: readonly string[] }
}

/** What breakdowns group visits by: a column of the visit, and the join of the table that it references. */
const visitColumns = {
  client: { column: 'client_id', join: 'join client c on c.id = v.id' },
  place: { column: 'place_id', join: 'left join place p on p.id = v.id' },
  origin: { column: 'origin_id', join: 'join origin o on o.id = v.id' },
  campaign: { column: 'campaign_id', join: 'join campaign c on c.id = v.id' },
  screen: { column: 'screen_id', join: 'left join label l on l.id = v.id' },
  language: { column: 'language_id', join: 'left join label l on l.id = v.id' },
  suspect: { column: 'suspect', join: '' },
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

/**
 * A stored figure as it is read. Sums of event values from older versions, which had no limit, may be infinite: no sum
 * of allowed values comes near 1e24.
 */
const readFigure = (name: string): string => (name === 'value_sum' ? `iif(abs(${name}) < 1e24, ${name}, 0.0)` : name)

const totals = ({ sums, maxima = [] }: TableShape): string =>
  commas([...sums.map(name => `sum(${readFigure(name)})`), ...maxima.map(name => `max(${name})`)])

/** A condition for the rows of some periods. It lists the kinds because the primary key begins with them. */
const rowsOf = (shape: TableShape, periods: string): string => {
  const { kinds } = shape
  const ofPeriods = `${dateColumn(shape)} ${periods}`
  return kinds === undefined
    ? ofPeriods
    : `${kinds.column} in (${commas(kinds.values.map(quoted))})\n  and ${ofPeriods}`
}

/** Deletes the rows of a period. */
export const clearStatement = (shape: TableShape): string =>
  `delete from ${shape.name}\nwhere ${rowsOf(shape, '= @period')}`

/** Loads the stored rows of a period into the temporary table. */
export const loadStatement = (shape: TableShape): string =>
  `insert into new_${shape.name} (${commas([...shape.key, ...figuresOf(shape)])})
select ${commas([...shape.key, ...figuresOf(shape).map(readFigure)])}
from ${shape.name}
where ${rowsOf(shape, '= @period')}`

/** Counts the differences between the stored rows of a period and the derived ones. */
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

/** Adds the derived rows, which may be differences, to the stored ones. */
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

/** Derives the rows of a longer period by summing its parts. */
export const sumStatement = (shape: TableShape): string => {
  const { name, key } = shape
  const period = dateColumn(shape)
  return `insert into new_${name} (${commas([...key, ...figuresOf(shape)])})
select ${commas(key.map(column => (column === period ? 'cast(@period as integer)' : column)))}, ${totals(shape)}
from ${name}
where ${rowsOf(shape, 'in (select value from json_each(@parts))')}
group by ${commas(key.filter(column => column !== period))}`
}

/** Creates the temporary table for derived rows, with the columns of the rollup table. */
export const createDerivedTable = ({ name }: TableShape): string =>
  `create temp table if not exists new_${name} as select * from ${name} where false;`

export const clearDerivedTable = ({ name }: TableShape): string => `delete from temp.new_${name};`

export const visitGroups = Object.keys(visitColumns) as VisitColumn[]

/** The temporary table of visits grouped by a column. */
export const visitTable = (column: VisitColumn): string => `visit_${column}`

/**
 * A row is either the sum of all visits whose visitor and session have no other visit, or one of the few remaining
 * visits. The latter have figures of 0, and their visitor and session are stored so that each is counted once.
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

/** Inserts visits counted from packed days into a table of grouped visits. */
export const loadPackedVisits = (column: VisitColumn): string =>
  `${clearVisitTable(column)}
insert into temp.${visitTable(column)}
select id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced
from temp.packed_visit
where breakdown = ${quoted(column)};`

/** Groups visits by a column, see `createVisitTable`. */
export const groupStatement = (column: VisitColumn): string => {
  const { column: id } = visitColumns[column]
  // Campaign breakdowns leave out visits without a campaign.
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
${visitColumns[of].join}
group by value, within`

export const utmKeys = ['source', 'medium', 'campaign', 'term', 'content'] as const

/** Derives the values of a set of UTM keys, for visits with at least one of them. */
export const utmStatement = (grouping: string): string => {
  const grouped = grouping.split(',')
  const values = utmKeys.map(key => (grouped.includes(key) ? `ifnull(c.${key}, '')` : "''"))
  return `insert into new_utm_rollup (grouping, period, ${commas(utmKeys)}, visitors, sessions, views, bounces)
select '${grouping}', @day, ${commas(values)},
  ${visitFigures}
from ${visitTable('campaign')} v
${visitColumns.campaign.join}
where ${grouped.map(key => `c.${key} is not null`).join(' or ')}
group by ${commas(values.filter(value => value !== "''"))}`
}
