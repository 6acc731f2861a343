// The alerts that were raised as lines of an archive.
import type { LinesByDay } from '../archive/day.ts'
import type { AlertLine } from '../archive/lines.ts'
import type { Db } from '../database/query.ts'
import { dropControls } from '../lib/controls.ts'
import { addDays, type Day, dayText, timeText, toSeconds, type Zone } from '../lib/time.ts'
import { type Raised, raisedBetween, restoreRaised } from './history.ts'
import { alertKinds } from './kinds.ts'

const maxGoal = 100

const textOf = (at: number | null): string | null => (at === null ? null : timeText(at))
const secondOf = (text: string): number => toSeconds(Date.parse(text))
const secondOrNull = (text: string | null): number | null => (text === null ? null : secondOf(text))

const lineOf = ({ kind, values, goal, beganAt, endedAt, toldAt, toldEndAt }: Raised, day: Day): AlertLine => ({
  type: 'alert',
  day: dayText(day),
  kind,
  began_at: timeText(beganAt),
  ended_at: textOf(endedAt),
  values,
  goal,
  told_at: textOf(toldAt),
  told_end_at: textOf(toldEndAt),
})

/** The alerts that began on the days of a range. */
export const alertsByDay = (db: Db, zone: Zone, from: Day, to: Day): LinesByDay => {
  const raised = raisedBetween(db, from === 0 ? 0 : zone.startOf(from), zone.startOf(addDays(to, 1)))
  const byDay = Map.groupBy(raised, ({ beganAt }) => zone.dayOf(beganAt))
  return { days: [...byDay.keys()], linesOf: day => (byDay.get(day) ?? []).map(one => lineOf(one, day)) }
}

/**
 * Stores an alert of an archive unless the same is there.
 * @returns what is wrong with it, or null
 */
export const restoreAlert = (db: Db, zone: Zone, day: Day, line: AlertLine): string | null => {
  const { values, goal } = line
  const [beganAt, endedAt] = [secondOf(line.began_at), secondOrNull(line.ended_at)]
  const kind = alertKinds.find(one => one === line.kind)
  if (zone.dayOf(beganAt) !== day) return 'an alert is not of this day'
  const isLong = goal !== null && (goal.length > maxGoal || dropControls(goal) !== goal)
  if (kind === undefined || isLong || (endedAt !== null && endedAt < beganAt)) return 'an alert is not valid'
  const [toldAt, toldEndAt] = [secondOrNull(line.told_at), secondOrNull(line.told_end_at)]
  restoreRaised(db, { kind, values, goal, beganAt, endedAt, toldAt, toldEndAt })
  return null
}
