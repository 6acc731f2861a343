import * as v from 'valibot'
import { query as statement } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { ApiError } from '../../http/errors.ts'
import { countSchema, dateSchema, idSchema, ratioSchema } from '../../http/schemas.ts'
import { dayText } from '../../lib/time.ts'
import sqlText from '../../sql/funnels.sql'
import { rangeEntries } from '../asked-range.ts'
import { compareSchema } from '../compare.ts'
import { countFunnels, type FunnelFigures } from '../goals/count-funnels.ts'
import { type Funnel, readFunnels } from '../goals/definitions.ts'
import { startIn } from '../goals/known.ts'
import { ratio } from '../numbers.ts'
import { bindParameters, type Read } from '../pool.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

const namesQuery = statement(
  sql('funnel.page-names'),
  v.object({ ids: v.string() }),
  v.object({ id: v.number(), name: v.string() }),
)

const nextSchema = v.object({ page: v.string(), sessions: countSchema })
const stepSchema = v.object({
  step: v.number(),
  name: v.string(),
  sessions: countSchema,
  step_rate: ratioSchema,
  overall_rate: ratioSchema,
  dropped: v.pipe(countSchema, v.description('Visits that did not make the next step; of the last step 0.')),
  next_instead: v.pipe(v.array(nextSchema), v.description('The pages that most of them viewed next, at most 5.')),
  exits: v.pipe(countSchema, v.description('Those of them that viewed no other page.')),
})
const dataSchema = v.object({
  id: v.number(),
  name: v.string(),
  steps: v.array(stepSchema),
  conversion: ratioSchema,
  previous: v.optional(
    v.object({
      from: dateSchema,
      to: dateSchema,
      steps: v.array(
        v.object({ step: v.number(), sessions: countSchema, step_rate: ratioSchema, overall_rate: ratioSchema }),
      ),
      conversion: ratioSchema,
    }),
  ),
})

export type FunnelData = v.InferOutput<typeof dataSchema>

const maxNext = 5

/** What a step is called: its pattern, with the property that the event must have. */
const nameOf = ({ pattern, property }: Funnel['steps'][number]): string =>
  property === null ? pattern : `${pattern} (${property.key}=${property.value})`

type Named = ReadonlyMap<number, string>

const readNames = async (read: Read, { next }: FunnelFigures): Promise<Named> => {
  const ids = [...new Set(next.flatMap(pages => [...pages.keys()]))].filter(id => id > 0)
  if (ids.length === 0) return new Map()
  const [rows] = await read([bindParameters(namesQuery, { ids: JSON.stringify(ids) })])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Erased pages have no name. */
const nextOf = (pages: ReadonlyMap<number, number>, names: Named): v.InferOutput<typeof nextSchema>[] =>
  [...pages]
    .flatMap(([id, sessions]) => {
      const page = names.get(id)
      return page === undefined ? [] : [{ page, sessions }]
    })
    .sort((a, b) => b.sessions - a.sessions || (a.page < b.page ? -1 : 1))
    .slice(0, maxNext)

const ratesOf = (sessions: readonly number[], index: number) => ({
  step: index + 1,
  sessions: sessions[index] ?? 0,
  step_rate: ratio(sessions[index] ?? 0, sessions[index === 0 ? 0 : index - 1] ?? 0),
  overall_rate: ratio(sessions[index] ?? 0, sessions[0] ?? 0),
})

const conversionOf = (sessions: readonly number[]): number | null => ratio(sessions.at(-1) ?? 0, sessions[0] ?? 0)

export const funnelSteps = ({ steps }: Pick<Funnel, 'steps'>, { sessions, next }: FunnelFigures, names: Named) =>
  steps.map((step, index) => ({
    ...ratesOf(sessions, index),
    name: nameOf(step),
    dropped: index === steps.length - 1 ? 0 : (sessions[index] ?? 0) - (sessions[index + 1] ?? 0),
    next_instead: nextOf(next[index] ?? new Map(), names),
    exits: next[index]?.get(0) ?? 0,
  }))

export const funnelReport = report({
  path: '/funnels/:id/report',
  summary: 'How far visits come in a funnel, and where they go instead',
  description:
    'Steps are counted within one visit and day, in their order; other page views may come between them unless the funnel ' +
    'is strict.',
  tag: 'Goals and funnels',
  params: { id: idSchema },
  query: { ...rangeEntries, compare: compareSchema, ...filterEntries },
  segment: readSegment,
  data: dataSchema,
  metrics: ['dropped', 'next_instead'],
  named: {
    sessions: 'funnel_sessions',
    step_rate: 'funnel_step_rate',
    overall_rate: 'funnel_overall_rate',
    conversion: 'funnel_conversion',
  },
  meta: {
    known_from: v.pipe(
      v.nullable(dateSchema),
      v.description('The first day of which the funnel is known; null if it is known of the whole range.'),
    ),
  },
  errors: { 404: ['rest_funnel_not_found'] },
  goals: true,
  run: async ({ params, range, read, count, comparison, of, context }) => {
    const funnel = (await readFunnels(context.read)).find(({ id }) => id === params.id)
    if (funnel === undefined) throw new ApiError(404, 'rest_funnel_not_found', 'Funnel not found.')
    const [found] = await countFunnels([funnel], { read: context.read, count })
    if (found === undefined) throw new Error('a funnel was not counted')
    const before = await Promise.all(
      (comparison?.parts ?? []).map(part => countFunnels([funnel], { read: context.read, count: of(part).count })),
    )
    const sums = funnel.steps.map((_, step) =>
      before.flat().reduce((sum, { sessions }) => sum + (sessions[step] ?? 0), 0),
    )
    const start = startIn(range, found.from)
    return {
      data: {
        id: funnel.id,
        name: funnel.name,
        steps: funnelSteps(funnel, found, await readNames(read, found)),
        conversion: conversionOf(found.sessions),
        ...(comparison !== null && {
          previous: {
            from: dayText(comparison.range.from),
            to: dayText(comparison.range.to),
            steps: sums.map((_, index) => ratesOf(sums, index)),
            conversion: conversionOf(sums),
          },
        }),
      },
      meta: { known_from: start > range.from ? dayText(start) : null },
    }
  },
})
