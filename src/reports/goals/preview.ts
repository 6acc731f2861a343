// What goals and funnels would have counted in the last 30 days, before they are saved.
import { addDays, dayText, toSeconds } from '../../lib/time.ts'
import type { ReportContext } from '../context.ts'
import { ratio } from '../numbers.ts'
import type { Range } from '../range.ts'
import { partReader } from '../read-part.ts'
import { warningsOf } from './body.ts'
import { countGoals } from './count.ts'
import { countFunnels } from './count-funnels.ts'
import type { FunnelDefinition, GoalDefinition } from './definitions.ts'
import { sessionsSince, startIn } from './known.ts'

const previewDays = 30

const lastDays = ({ clock, zone }: ReportContext): Range => {
  const today = zone.dayOf(toSeconds(clock()))
  return { from: addDays(today, 1 - previewDays), to: today }
}

const readersFor = (context: ReportContext, range: Range) =>
  partReader({ context, segment: null }, { range, since: null, until: null }, 'from')

export const previewGoal = async (goal: GoalDefinition, context: ReportContext) => {
  const range = lastDays(context)
  const { read, count } = readersFor(context, range)
  const [found] = await countGoals([{ ...goal, id: null }], { read, count, isFiltered: false })
  const start = startIn(range, found?.from ?? null)
  const all = (await sessionsSince(read, range, [start])).get(start) ?? 0
  const sessions = found?.sessions ?? 0
  return {
    from: dayText(start),
    to: dayText(range.to),
    sessions,
    visitors: found?.visitors ?? 0,
    total: found?.total ?? 0,
    conversion_rate: ratio(sessions, all),
    ...(await warningsOf(goal, context.read)),
  }
}

export const previewFunnel = async (funnel: FunnelDefinition, context: ReportContext) => {
  const range = lastDays(context)
  const [found] = await countFunnels([{ ...funnel, id: null }], readersFor(context, range))
  const sessions = found?.sessions ?? []
  return {
    from: dayText(startIn(range, found?.from ?? null)),
    to: dayText(range.to),
    steps: sessions.map((number, index) => ({ step: index + 1, sessions: number })),
    conversion: ratio(sessions.at(-1) ?? 0, sessions[0] ?? 0),
  }
}
