import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { countSchema, ratioSchema } from '../http/schemas.ts'
import sqlText from '../sql/breakdown.sql'
import { ratio } from './numbers.ts'
import { bindParameters } from './pool.ts'
import type { Range } from './range.ts'

const sql = statements(sqlText)

/** Columns of a breakdown statement. */
export const figureColumns = { visitors: v.number(), sessions: v.number(), views: v.number(), bounces: v.number() }

/** The same in a response. */
export const figures = { visitors: countSchema, sessions: countSchema, views: countSchema, bounces: countSchema }
export const share = { share: ratioSchema }

export const rangeColumns = { from: v.number(), to: v.number() }
export const pageColumns = { limit: v.number(), offset: v.number() }
export const countRow = v.object({ rows: v.number() })

const totalsQuery = query(
  sql('range.totals'),
  v.object(rangeColumns),
  v.object({ sessions: v.number(), views: v.number() }),
  {
    reads: ['site_day'],
  },
)

/** All sessions and views of a range, the denominators of shares. */
export const bindTotals = ({ from, to }: Range) => bindParameters(totalsQuery, { from, to })

/** Rows with their share of the range's sessions. */
export const withShare = <Row extends { sessions: number }>(
  rows: readonly Row[],
  all: readonly { sessions: number }[],
): (Row & { share: number | null })[] =>
  rows.map(row => ({ ...row, share: ratio(row.sessions, all[0]?.sessions ?? 0) }))

/** Column with the total length of the list. */
export const listedColumn = { listed: v.number() }

/** The total length of the list. A page beyond its end has no row to hold it, so the first row is read. */
export const listedIn = async (
  rows: readonly { listed: number }[],
  offset: number,
  readFirst: () => Promise<readonly { listed: number }[]>,
): Promise<number> => rows[0]?.listed ?? (offset === 0 ? 0 : ((await readFirst())[0]?.listed ?? 0))

/** The result of a counting statement. */
export const countOf = (count: readonly { rows: number }[]): number => count[0]?.rows ?? 0

/** The search text as statements expect it; null matches everything. */
export const searchText = (search: string | undefined): string | null =>
  search === undefined || search === '' ? null : search.toLowerCase()
