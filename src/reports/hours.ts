import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { dateSchema } from '../http/schemas.ts'
import { dayText } from '../lib/time.ts'
import sqlText from '../sql/hours.sql'
import { figureColumns, rangeColumns } from './breakdown.ts'

const sql = statements(sqlText)

/** Hours are numbered from 0 in their day. */
export const hoursQuery = query(
  sql('summary.hours'),
  v.object(rangeColumns),
  v.object({ day: v.number(), hour: v.number(), ...figureColumns, seconds: v.number() }),
  { reads: ['hour_day'] },
)

/** Days whose hours are not known, because their sums were imported. */
export const missingHoursQuery = query(
  sql('summary.hours-missing'),
  v.object(rangeColumns),
  v.object({ day: v.number() }),
  {
    reads: ['site_day', 'hour_day'],
  },
)

export const hoursMissingEntry = {
  hours_missing: v.optional(
    v.pipe(v.array(dateSchema), v.description('Days whose hours are not known: they are in no hour, but in totals.')),
  ),
}

export const missingHoursMeta = (rows: readonly { day: number }[]) =>
  rows.length === 0 ? {} : { hours_missing: rows.map(({ day }) => dayText(day)) }
