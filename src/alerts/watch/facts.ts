// What the rules of the alerts look at.
import * as v from 'valibot'
import { type Point, weeksBack } from '../../advisor/anomaly.ts'
import { firstDayQuery, hoursQuery } from '../../annotations/automatic.ts'
import { type DayHours, daysBefore } from '../../annotations/silence.ts'
import type { Disk } from '../../checks/diagnostics/disk.ts'
import { outcomesQuery } from '../../checks/diagnostics/file.ts'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { firstViewId, secondOf } from '../../database/view-id.ts'
import { addDays, type Day, dayText, eachDay, type Zone } from '../../lib/time.ts'
import { bindParameters } from '../../reports/pool.ts'
import sqlText from '../../sql/watch-facts.sql'
import type { GoalDays, ReadContext } from './goals.ts'

const sql = statements(sqlText)

const count = v.number()
const daysQuery = query(
  sql('alert.days'),
  v.object({ from: count, to: count }),
  v.object({ day: count, visitors: count, not_found: count }),
)
const lastViewQuery = query(
  sql('view.last-before'),
  v.object({ next: count }),
  v.object({ last_view: v.nullable(count) }),
)

/** Free bytes of the disk at a moment. */
export type DiskSample = { at: number; free: number }

/** Moments in seconds since 1970; points are consecutive days, today last. */
export type AlertFacts = {
  now: number
  zone: Zone
  /** Whether collection is turned on. */
  isTracking: boolean
  first: Day | null
  hours: readonly DayHours[]
  lastView: number | null
  visitors: readonly Point[]
  /** From the first day on which anything was counted. */
  notFound: readonly Point[]
  /** Outcomes of the collection requests of the last hours. */
  outcomes: Readonly<Record<string, number>>
  /** Without today. */
  goals: readonly GoalDays[]
  disk: Disk & { samples: readonly DiskSample[] }
}

export type FactOptions = Pick<AlertFacts, 'now' | 'isTracking' | 'goals' | 'disk'> & {
  /** Of how many hours outcomes are counted. */
  outcomeHours: number
}

/** Reads from rollups what the rules need; `now` may be earlier than the newest row. */
export const readFacts = async (
  { read, zone }: ReadContext,
  { outcomeHours, ...given }: FactOptions,
): Promise<AlertFacts> => {
  const today = zone.dayOf(given.now)
  // Today and yesterday are compared with eight weeks before.
  const from = addDays(today, -7 * weeksBack - 1)
  const [[first], hours, days, [newest], outcomes] = await read([
    bindParameters(firstDayQuery, {}),
    bindParameters(hoursQuery, { from: addDays(today, -daysBefore), to: today }),
    bindParameters(daysQuery, { from, to: today }),
    bindParameters(lastViewQuery, { next: firstViewId(given.now + 1) }),
    bindParameters(outcomesQuery, { hour: Math.floor(given.now / 3600) - outcomeHours + 1 }),
  ])
  const known = new Map(days.map(one => [one.day, one]))
  const pointsOf = (figure: 'visitors' | 'not_found', start: Day): Point[] =>
    eachDay(start, today).map(day => ({ date: dayText(day), visitors: known.get(day)?.[figure] ?? 0 }))
  const lastView = newest?.last_view ?? null
  return {
    ...given,
    zone,
    first: first?.day ?? null,
    hours,
    lastView: lastView === null ? null : secondOf(lastView),
    visitors: pointsOf('visitors', from),
    notFound: pointsOf('not_found', Math.max(from, first?.day ?? from)),
    outcomes: Object.fromEntries(outcomes.map(({ outcome, requests }) => [outcome, requests])),
  }
}
