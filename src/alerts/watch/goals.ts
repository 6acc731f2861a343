// Goals that count fewer sessions than usual.
import { findAnomaly, type Point, weeksBack } from '../../advisor/anomaly.ts'
import { ApiError } from '../../http/errors.ts'
import { addDays, type Day, dayText, eachDay, parseDay } from '../../lib/time.ts'
import type { ReportContext } from '../../reports/context.ts'
import { readFirstWholeDays } from '../../reports/first-whole-day.ts'
import { countGoals } from '../../reports/goals/count.ts'
import { type Goal, readGoals } from '../../reports/goals/definitions.ts'
import { partReader } from '../../reports/read-part.ts'
import type { Finding } from '../history.ts'

/** The sessions of a goal by day, as `visitors`. */
export type GoalDays = { name: string; points: readonly Point[] }
export type ReadContext = Pick<ReportContext, 'read' | 'zone'>

/** The times that are compared, in days: what a small site misses shows in a week, not in a day. */
const windows = [1, 3, 7]
const longest = Math.max(...windows)
/** How probable it may be that chance explains so few sessions: every goal is tested in each of the windows, every day. */
const maxProbability = 0.0002

/** The visits of a day that reached each goal. */
export const countDay = async (context: ReadContext, goals: readonly Goal[], day: Day): Promise<number[]> => {
  const part = { range: { from: day, to: day }, since: null, until: null }
  const readers = partReader({ context, segment: null }, part, 'from')
  const figures = await countGoals(goals, { ...readers, isFiltered: false }).catch((error: unknown) => {
    // The single visits of the day are gone, and what its goals counted was not stored.
    if (error instanceof ApiError) return []
    throw error
  })
  return goals.map((_, index) => figures[index]?.sessions ?? 0)
}

const countGoalDays = async (context: ReadContext, goals: readonly Goal[], today: Day): Promise<GoalDays[]> => {
  if (goals.length === 0) return []
  const { visits: firstWhole } = await readFirstWholeDays(context.read)
  const days = eachDay(Math.max(firstWhole, addDays(today, -7 * weeksBack - longest)), addDays(today, -1))
  const counted: number[][] = []
  for (const day of days) counted.push(await countDay(context, goals, day))
  return goals.map(({ name }, index) => ({
    name,
    points: days.map((day, at) => ({ date: dayText(day), visitors: counted[at]?.[index] ?? 0 })),
  }))
}

/** What each goal counted on the days before today that the rule compares. */
export const readGoalDays = async (context: ReadContext, today: Day): Promise<GoalDays[]> =>
  countGoalDays(context, await readGoals(context.read), today)

/** The same, counted once a day, and again when a goal is added, changed or removed. */
export const rememberGoalDays = (): typeof readGoalDays => {
  let known: { key: string; days: GoalDays[] } | null = null
  return async (context, today) => {
    const goals = await readGoals(context.read)
    const key = JSON.stringify([today, goals])
    if (known?.key !== key) known = { key, days: await countGoalDays(context, goals, today) }
    return known.days
  }
}

/** How probable at most so many are if so many are usual (Poisson). */
const probabilityOf = (count: number, mean: number): number => {
  let term = Math.exp(-mean)
  let sum = term
  for (let k = 1; k <= count; k++) {
    term *= mean / k
    sum += term
  }
  return sum
}

/** The sums of each day and those before it. */
const sumsOf = (points: readonly Point[], days: number): Point[] =>
  points.slice(days - 1).map(({ date }, index) => ({
    date,
    visitors: points.slice(index, index + days).reduce((sum, { visitors }) => sum + visitors, 0),
  }))

const judgeGoal = ({ name, points }: GoalDays, maxShare: number, days: number): Finding | null => {
  const tested = findAnomaly(sumsOf(points, days), 'down')
  const { current, baseline, detected, method } = tested
  const last = points.at(-1)
  if (!detected || method !== 'same_weekdays' || baseline === null || last === undefined) return null
  if (current > maxShare * baseline || probabilityOf(current, baseline) > maxProbability) return null
  const to = parseDay(last.date)
  return { values: { from: addDays(to, 1 - days), to, current, usual: Math.round(baseline) }, goal: name }
}

const missing = ({ values: { current = 0, usual = 0 } }: Finding): number => usual - current

/** The goal that misses most, in the shortest of the times; null without one. */
export const judgeGoals = (goals: readonly GoalDays[], maxShare: number, maxDays: number): Finding | null => {
  for (const days of windows.filter(one => one <= maxDays)) {
    const findings = goals.flatMap(goal => judgeGoal(goal, maxShare, days) ?? [])
    const [worst] = findings.sort((a, b) => missing(b) - missing(a))
    if (worst !== undefined) return { ...worst, values: { ...worst.values, goals: findings.length } }
  }
  return null
}
