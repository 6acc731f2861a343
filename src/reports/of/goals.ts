import * as v from 'valibot'
import { goalValue, valuePerSession } from '../../goals/values.ts'
import { countSchema, dateSchema, ratioSchema } from '../../http/schemas.ts'
import { type Day, dayText } from '../../lib/time.ts'
import { rangeEntries } from '../asked-range.ts'
import { comparedFields } from '../compared-rows.ts'
import { countGoals } from '../goals/count.ts'
import { type Goal, readGoals } from '../goals/definitions.ts'
import { sessionsSince, startIn } from '../goals/known.ts'
import { goalKinds } from '../goals/rules.ts'
import { ratio } from '../numbers.ts'
import { report } from '../report.ts'
import { readCurrency } from '../revenue.ts'
import { filterEntries, readSegment } from '../segment.ts'

const amount = v.nullable(v.number())

export const goalFigures = {
  sessions: countSchema,
  visitors: countSchema,
  total: v.pipe(countSchema, v.description('Page views or events that reached the goal.')),
  conversion_rate: ratioSchema,
  value: v.pipe(amount, v.description('Null for a goal without a value.')),
  value_per_session: v.pipe(amount, v.description('The value divided by all visits.')),
}

const rowSchema = v.object({
  goal_id: v.number(),
  name: v.string(),
  kind: v.picklist(goalKinds),
  ...goalFigures,
  known_from: v.pipe(
    v.nullable(dateSchema),
    v.description('The first day that this goal is known of; rates are over the days from there. Null: all days.'),
  ),
  ...comparedFields,
})

export type GoalRow = v.InferOutput<typeof rowSchema>

/** What explains the figures of a goal. */
export const goalMetrics = {
  metrics: ['value_per_session'],
  named: {
    conversion_rate: 'goal_rate',
    sessions: 'goal_sessions',
    visitors: 'goal_visitors',
    total: 'goal_total',
    value: 'goal_value',
  },
} as const

export const goalMeta = {
  currency: v.pipe(v.nullable(v.string()), v.description('The currency of the orders, in which values are.')),
}

const latest = (days: readonly (Day | null)[]): Day => days.reduce<Day>((last, day) => Math.max(last, day ?? 0), 0)

export const goalsReport = report({
  path: '/goals/report',
  summary: 'What each goal counts, and its conversion rate',
  description:
    'A visit counts on each day on which it reaches the goal. A goal of one page, or of an event without a property, ' +
    'answers for all days; others from the first day with single visits, or from the day that was stored before these went.',
  tag: 'Goals and funnels',
  query: { ...rangeEntries, ...filterEntries },
  segment: readSegment,
  compared: { key: ({ goal_id }) => String(goal_id), figure: ({ sessions }) => sessions },
  data: v.array(rowSchema),
  ...goalMetrics,
  meta: {
    ...goalMeta,
    known_from: v.pipe(
      v.nullable(dateSchema),
      v.description('The first day of which all goals of the answer are known; null if none begins within the range.'),
    ),
  },
  goals: true,
  run: async ({ filtered: isFiltered, range, read, count, context }) => {
    const goals = await readGoals(read)
    const [figures, currency] = await Promise.all([
      countGoals(goals, { read, count, isFiltered }),
      goals.some(({ valueFrom }) => valueFrom === 'order' || valueFrom === 'fixed')
        ? readCurrency(context, range)
        : null,
    ])
    const starts = figures.map(({ from }) => startIn(range, from))
    const sessions = await sessionsSince(read, range, starts)
    const data = goals.flatMap((goal: Goal, index) => {
      const [found, start] = [figures[index], starts[index] ?? range.from]
      if (found === undefined) return []
      const all = sessions.get(start) ?? 0
      const value = goalValue(goal, found, currency)
      return [
        {
          goal_id: goal.id,
          name: goal.name,
          kind: goal.kind,
          sessions: found.sessions,
          visitors: found.visitors,
          total: found.total,
          conversion_rate: ratio(found.sessions, all),
          value,
          value_per_session: valuePerSession(value, all),
          known_from: found.from === null || found.from === 0 ? null : dayText(found.from),
        },
      ]
    })
    const known = latest(starts)
    return { data, meta: { currency, known_from: known > range.from ? dayText(known) : null } }
  },
})
