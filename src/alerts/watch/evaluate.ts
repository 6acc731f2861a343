import { pathOf } from '../../database/whole.ts'
// Looks at the figures of a file now, by the switches that are on.

import * as v from 'valibot'
import { findAnomaly, type Point, weeksBack, wholeDays } from '../../advisor/anomaly.ts'
import { hoursQuery } from '../../annotations/automatic.ts'
import { type DayHours, daysBefore, runningSilence } from '../../annotations/silence.ts'
import { type Disk, diskOf } from '../../checks/diagnostics/disk.ts'
import { outcomesQuery } from '../../checks/diagnostics/file.ts'
import { type Db, query } from '../../database/query.ts'
import { loadState } from '../../database/saved-state.ts'
import { statements } from '../../database/statements.ts'
import { firstViewId, secondOf } from '../../database/view-id.ts'
import { addDays, type Day, dayText, eachDay, parseDay, type Zone } from '../../lib/time.ts'
import { readFirstWholeDays } from '../../reports/first-whole-day.ts'
import { bindParameters } from '../../reports/pool.ts'
import { firstViewDayQuery } from '../../reports/start.ts'
import { loadSettings } from '../../settings/settings.ts'
import sqlText from '../../sql/watch-facts.sql'
import { type Finding, pendingAlerts } from '../history.ts'
import { type AlertKind, type AlertSwitch, alertKinds } from '../kinds.ts'
import { alertSwitches } from '../switches.ts'
import { type GoalDays, judgeGoals, type ReadContext, readGoalDays } from './goals.ts'

// What the rules of the alerts look at.

const sql = statements(sqlText)

const count = v.number()
const daysQuery = query(
  sql('alert.days'),
  v.object({ from: count, to: count }),
  v.object({ day: count, visitors: count, not_found: count, suspect: count }),
)
const lastViewQuery = query(
  sql('view.last-before'),
  v.object({ next: count }),
  v.object({ last_view: v.nullable(count) }),
)

/** Free bytes of the disk at a moment. */
type DiskSample = { at: number; free: number }

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
  /** Those of a day that look automated and are in the figures. */
  suspects: ReadonlyMap<Day, number>
  /** From the first whole day on, as `visitors`; a day without a missing page is known as well. */
  notFound: readonly Point[]
  /** Outcomes of the collection requests of the last hours. */
  outcomes: Readonly<Record<string, number>>
  /** Without today. */
  goals: readonly GoalDays[]
  disk: Disk & { samples: readonly DiskSample[] }
}

type FactOptions = Pick<AlertFacts, 'now' | 'isTracking' | 'goals' | 'disk'> & {
  /** Of how many hours outcomes are counted. */
  outcomeHours: number
}

/** Reads from rollups what the rules need; `now` may be earlier than the newest row. */
const readFacts = async ({ read, zone }: ReadContext, { outcomeHours, ...given }: FactOptions): Promise<AlertFacts> => {
  const today = zone.dayOf(given.now)
  // Today and yesterday are compared with eight weeks before.
  const from = addDays(today, -7 * weeksBack - 1)
  const [[first], hours, days, [newest], outcomes] = await read([
    bindParameters(firstViewDayQuery, {}),
    bindParameters(hoursQuery, { from: addDays(today, -daysBefore), to: today }),
    bindParameters(daysQuery, { from, to: today }),
    bindParameters(lastViewQuery, { next: firstViewId(given.now + 1) }),
    bindParameters(outcomesQuery, { hour: Math.floor(given.now / 3600) - outcomeHours + 1 }),
  ])
  const known = new Map(days.map(one => [one.day, one]))
  const pointsOf = (figure: 'visitors' | 'not_found', start: Day): Point[] =>
    eachDay(start, today).map(day => ({ date: dayText(day), visitors: known.get(day)?.[figure] ?? 0 }))
  const { visits: firstWhole } = await readFirstWholeDays(read)
  const lastView = newest?.last_view ?? null
  return {
    ...given,
    zone,
    first: first?.day ?? null,
    hours,
    lastView: lastView === null ? null : secondOf(lastView),
    visitors: wholeDays(pointsOf('visitors', from), firstWhole),
    suspects: new Map(days.map(({ day, suspect }) => [day, suspect])),
    notFound: wholeDays(pointsOf('not_found', from), firstWhole),
    outcomes: Object.fromEntries(outcomes.map(({ outcome, requests }) => [outcome, requests])),
  }
}

// The rules of the alerts: what each finds in the facts. They read nothing.

type Rule = (facts: AlertFacts, rule: AlertSwitch, isRaised: boolean) => Finding | null

const hour = 3600
/** Refused requests below this number say nothing of a share. */
const minRefused = 20
/** An alert that is raised ends beyond this share of its threshold, so that it does not come and go at the bound. */
const slack = 0.9
/** Seconds over which the disk must have been watched to predict when it is full. */
const minWatched = 48 * hour

const found = (values: Finding['values']): Finding => ({ values, goal: null })

const silent: Rule = ({ zone, hours, first, lastView, now, isTracking }, { threshold, hours: minHours }) => {
  if (first === null || !isTracking) return null
  const limits = { minHours: minHours ?? 0, usualFactor: threshold }
  const silence = runningSilence(zone, hours, { first, last: lastView, now, limits })
  return silence && found({ ...silence, hours: Math.floor((now - silence.since) / hour) })
}

const week = 7
/** An alert interrupts: it takes this much more than the advisor's line, or chance would raise one more than once a month. */
const margin = 1.25
const mean = (points: readonly Point[]): number =>
  points.reduce((sum, { visitors }) => sum + visitors, 0) / Math.max(points.length, 1)

/** The last week in proportion to the weeks before a day that are compared: a site that grows is not unusual every day. */
const trendOf = (points: readonly Point[], first: number): number => {
  const before = points.slice(first, -1).slice(-week * weeksBack)
  const whole = before.slice(before.length % week)
  const usual = mean(whole)
  return whole.length < 2 * week || usual === 0 ? 1 : mean(whole.slice(-week)) / usual
}

/** What is unusual on the last day by the advisor's rule, by the trend, and by this many visitors; null for nothing. */
const anomaly = (
  points: readonly Point[],
  direction: 'up' | 'down',
  minimum: number,
  first = points.findIndex(({ visitors }) => visitors > 0),
): Finding | null => {
  const last = points.at(-1)
  const { detected, current, baseline, threshold } = findAnomaly(points, direction, first)
  if (last === undefined || !detected || baseline === null || threshold === null) return null
  const trend = direction === 'up' ? Math.max(1, trendOf(points, first)) : Math.min(1, trendOf(points, first))
  const usual = Math.round(baseline * trend)
  const limit = usual + (threshold - baseline) * trend * margin
  const isFar = direction === 'up' ? current > limit : current < limit
  if (!isFar || Math.abs(current - usual) < minimum) return null
  return found({ day: parseDay(last.date), current, usual })
}

/** A day that is not over can already have more than a whole one has; it never has less. */
const high = (points: readonly Point[], minimum: number, first?: number): Finding | null =>
  anomaly(points, 'up', minimum, first) ?? anomaly(points.slice(0, -1), 'up', minimum, first)

/** Says so if most of the day's visitors look automated. */
const spike: Rule = ({ visitors, suspects }, { threshold }) => {
  const finding = high(visitors, threshold)
  const { day = 0, current = 0 } = finding?.values ?? {}
  const suspect = suspects.get(day) ?? 0
  return finding !== null && suspect > current / 2 ? found({ ...finding.values, suspect }) : finding
}

const refused: Rule = ({ outcomes }, { threshold, hours }, isRaised) => {
  const { received = 0, foreign_host = 0, throttled = 0, invalid = 0 } = outcomes
  const requests = foreign_host + throttled + invalid
  const share = requests / Math.max(received, 1)
  if (requests < minRefused || share * 100 <= threshold * (isRaised ? slack : 1)) return null
  return found({ requests, received, share, foreign_host, throttled, invalid, hours: hours ?? 0 })
}

/** The seconds in which the disk is full if it fills as it has since the oldest sample; null if it does not. */
const secondsLeft = ({ at, free }: DiskSample, now: number, freeNow: number): number | null =>
  free <= freeNow || now - at < minWatched ? null : (freeNow / (free - freeNow)) * (now - at)

const disk: Rule = ({ disk: { free, size, samples }, now }, { threshold, hours }, isRaised) => {
  const [oldest] = samples
  const left = oldest === undefined ? null : secondsLeft(oldest, now, free)
  const stretch = isRaised ? 1 / slack : 1
  const isLow = free < (threshold / 100) * size * stretch
  const isFilling = left !== null && left < (hours ?? 0) * hour * stretch
  if (!isLow && !isFilling) return null
  return found({ free, size, share: free / size, ...(isFilling && { full_hours: Math.floor(left / hour) }) })
}

const rules: Readonly<Record<AlertKind, Rule>> = {
  silent,
  spike,
  drop: ({ visitors }, { threshold }) => anomaly(visitors.slice(0, -1), 'down', threshold),
  refused,
  // A day without a missing page is known as well.
  not_found: ({ notFound }, { threshold }) => high(notFound, threshold, 0),
  goal: ({ goals }, { threshold, hours }) => judgeGoals(goals, threshold / 100, (hours ?? 0) / 24),
  disk,
}

/** What an alert that is on finds now; null for nothing. */
export const judge = (facts: AlertFacts, rule: AlertSwitch, isRaised: boolean): Finding | null =>
  rule.enabled ? rules[rule.kind](facts, rule, isRaised) : null

const diskStateSchema = v.object({ samples: v.array(v.object({ at: v.number(), free: v.number() })) })

/** The free space that was noted on the last days, oldest first. */
export const diskSamples = (db: Db) => loadState(db, 'disk', diskStateSchema)?.samples ?? []

/** Seconds after midnight in which visits of the day before can still reach a goal. */
const settling = 3600

/** What reads the days of goals: they change once a day. */
export type ReadGoals = (context: ReadContext, today: Day) => Promise<readonly GoalDays[]>

export type Evaluation = ReadonlyMap<AlertKind, { rule: AlertSwitch; finding: Finding | null }>

/** What each alert that is on finds; null for nothing. Reads only. */
export const evaluate = async (
  db: Db,
  context: ReadContext,
  now: number,
  readGoals: ReadGoals = readGoalDays,
): Promise<Evaluation> => {
  const rules = alertSwitches(db).filter(({ enabled }) => enabled)
  const ruleOf = (kind: AlertKind): AlertSwitch | undefined => rules.find(rule => rule.kind === kind)
  const goals: readonly GoalDays[] =
    ruleOf('goal') === undefined ? [] : await readGoals(context, context.zone.dayOf(now - settling))
  const facts = await readFacts(context, {
    now,
    isTracking: loadSettings(db).tracking_enabled,
    goals,
    disk: { ...diskOf(pathOf(db)), samples: diskSamples(db) },
    outcomeHours: ruleOf('refused')?.hours ?? 1,
  })
  const raised = new Set(pendingAlerts(db).flatMap(({ kind, endedAt }) => (endedAt === null ? [kind] : [])))
  return new Map(
    alertKinds.flatMap(kind => {
      const rule = ruleOf(kind)
      return rule === undefined ? [] : [[kind, { rule, finding: judge(facts, rule, raised.has(kind)) }] as const]
    }),
  )
}
