// What a dashboard knows before it asks for reports.
import * as v from 'valibot'
import { demoMarkSchema } from '../database/demo-mark.ts'
import { none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { dateSchema, timeSchema } from '../http/schemas.ts'
import { dayText, timeText, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/start.sql'
import type { ReportContext } from './context.ts'
import { bindParameters } from './pool.ts'

const sql = statements(sqlText)

export const firstViewDayQuery = query(sql('first-day'), none, v.object({ day: v.nullable(v.number()) }), {
  reads: ['site_day'],
})

/** The days that reports can be asked for. */
export const startSchema = v.object({
  today: v.pipe(dateSchema, v.description("Today in the site's time zone.")),
  timezone: v.string(),
  week_start: v.pipe(v.number(), v.description('The weekday on which weeks begin: 1 for Monday to 7 for Sunday.')),
  generated_at: timeSchema,
  first_day: v.pipe(
    v.nullable(dateSchema),
    v.description('The first day with a page view. Null before any, and for callers held to filters.'),
  ),
  demo: v.optional(v.pipe(demoMarkSchema, v.description('Present only if the data was made up by `footfall demo`.'))),
})
export type Start = v.InferOutput<typeof startSchema>

export type StartContext = Pick<ReportContext, 'clock' | 'zone' | 'read' | 'demo'>

type Filters = Readonly<Record<string, string>> | null | undefined

/** @param filters which the caller is held to */
export const readStart = async ({ clock, zone, read, demo }: StartContext, filters: Filters): Promise<Start> => {
  const now = toSeconds(clock())
  const isHeld = Object.keys(filters ?? {}).length > 0
  const [[first] = []] = isHeld ? [] : await read([bindParameters(firstViewDayQuery, {})])
  return {
    today: dayText(zone.dayOf(now)),
    timezone: zone.name,
    week_start: zone.weekStart,
    generated_at: timeText(now),
    first_day: first?.day == null ? null : dayText(first.day),
    ...(demo != null && { demo }),
  }
}
