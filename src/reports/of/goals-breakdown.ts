import * as v from 'valibot'
import { groupKinds, readGroup } from '../../goals/groups.ts'
import { goalValue, valuePerSession } from '../../goals/values.ts'
import { ApiError } from '../../http/errors.ts'
import { countSchema, idSchema, pagination } from '../../http/schemas.ts'
import { rangeEntries } from '../asked-range.ts'
import { few } from '../few.ts'
import { toCount } from '../goals/count.ts'
import { readGoals } from '../goals/definitions.ts'
import { resolveGoals } from '../goals/resolve.ts'
import { ratio } from '../numbers.ts'
import { report } from '../report.ts'
import { readCurrency } from '../revenue.ts'
import { filterEntries, readSegment } from '../segment.ts'
import { goalFigures, goalMeta, goalMetrics } from './goals.ts'

const rowSchema = v.object({
  key: v.pipe(v.nullable(v.string()), v.description('As a filter takes it; null where unknown.')),
  within: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The country of a region or city, the channel of a source, `source / medium` of a campaign by `utm`; otherwise null.',
    ),
  ),
  all_sessions: v.pipe(countSchema, v.description('All visits of the row.')),
  ...goalFigures,
})

export type GoalGroup = v.InferOutput<typeof rowSchema>

export const goalBreakdown = report({
  path: '/goals/:id/breakdown',
  summary: 'What a goal counts, by a dimension of its visits',
  description: 'Reads single visits, so the range cannot begin before the first day that has them.',
  tag: 'Goals and funnels',
  list: true,
  params: { id: idSchema },
  query: {
    ...rangeEntries,
    ...pagination,
    by: v.pipe(v.picklist(groupKinds), v.description('What the visits are grouped by.')),
    ...filterEntries,
  },
  // Groups are known of single visits only.
  segment: query => readSegment(query) ?? [],
  few: () => ({ key: few, within: null, conversion_rate: null, value: null, value_per_session: null }),
  data: v.array(rowSchema),
  ...goalMetrics,
  meta: goalMeta,
  errors: { 404: ['rest_goal_not_found'] },
  goals: true,
  run: async ({ query: { by, limit, offset }, params, range, count, context }) => {
    const goal = (await readGoals(context.read)).find(({ id }) => id === params.id)
    if (goal === undefined) throw new ApiError(404, 'rest_goal_not_found', 'Goal not found.')
    const [step] = await resolveGoals([goal], context.read)
    if (step === undefined) throw new Error('a goal without a step')
    const [{ groups }, currency] = await Promise.all([
      count({ goals: [toCount(goal, step)], funnels: [], by }),
      goal.valueFrom === 'order' ? readCurrency(context, range) : null,
    ])
    const rows = groups
      .map(({ key, all, ...counted }) => {
        const value = goalValue(goal, counted, currency)
        return {
          ...readGroup(key),
          all_sessions: all,
          sessions: counted.sessions,
          visitors: counted.visitors,
          total: counted.total,
          conversion_rate: ratio(counted.sessions, all),
          value,
          value_per_session: valuePerSession(value, all),
        }
      })
      .sort(
        (a, b) =>
          b.sessions - a.sessions || b.all_sessions - a.all_sessions || ((a.key ?? '') < (b.key ?? '') ? -1 : 1),
      )
    return { data: rows.slice(offset, offset + limit), total: rows.length, meta: { currency } }
  },
})
