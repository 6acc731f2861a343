// Looks at the figures of a file now, by the switches that are on.

import * as v from 'valibot'
import { diskOf } from '../../checks/diagnostics/disk.ts'
import type { Db } from '../../database/query.ts'
import { loadState } from '../../database/saved-state.ts'
import type { Day } from '../../lib/time.ts'
import { loadSettings } from '../../settings/settings.ts'
import { type Finding, pendingAlerts } from '../history.ts'
import { type AlertKind, type AlertSwitch, alertKinds } from '../kinds.ts'
import { alertSwitches } from '../switches.ts'
import { readFacts } from './facts.ts'
import { type GoalDays, type ReadContext, readGoalDays } from './goals.ts'
import { judge } from './judge.ts'

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
    disk: { ...diskOf(db.name), samples: diskSamples(db) },
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
