import * as v from 'valibot'
import { query } from '../database/query.ts'
import hours from '../sql/summary.hours.sql'
import { figureColumns, rangeColumns } from './breakdown.ts'

/** Hours are counted from the first second of their day. */
export const hoursQuery = query(
  hours,
  v.object(rangeColumns),
  v.object({ day: v.number(), hour: v.number(), ...figureColumns, seconds: v.number() }),
  { reads: ['hour_day'] },
)
