// What the operator's rules would have refused in the last 30 days, before they are saved.
import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { countSchema, dateSchema } from '../http/schemas.ts'
import { gap } from '../lib/fits.ts'
import { addDays, dayText, toSeconds } from '../lib/time.ts'
import { type RefusalRule, ruleSchema } from '../settings/refusal-rules.ts'
import sqlText from '../sql/rule-preview.sql'
import { rangeEntries } from './asked-range.ts'
import type { ReportContext } from './context.ts'
import { writeValue } from './filters/syntax.ts'
import { summary } from './of/summary.ts'
import { bindParameters } from './pool.ts'
import { report } from './report.ts'
import { runReport } from './run.ts'

const sql = statements(sqlText)

const previewDays = 30

const counted = { sessions: v.number(), views: v.number() }
const referrersQuery = query(sql('referrers'), v.object({ pattern: v.string() }), v.object(counted), {
  reads: ['source_rollup', 'period'],
})

/** Of referrers, whose channel and source say less than their host. */
const referrers = report({
  path: '/rules/referrers',
  summary: 'Visits from the hosts of a pattern',
  query: { ...rangeEntries, pattern: v.string() },
  data: v.object(counted),
  metrics: ['sessions', 'views'],
  run: async ({ query: { pattern }, read }) => {
    const [[row]] = await read([bindParameters(referrersQuery, { pattern })])
    return { data: row ?? { sessions: 0, views: 0 } }
  },
})

export const previewSchema = v.object({
  from: dateSchema,
  to: dateSchema,
  rules: v.array(
    v.object({
      ...ruleSchema.entries,
      sessions: v.pipe(
        v.nullable(countSchema),
        v.description(
          'Visits with something that it would have refused, of a host those that began there; null if that is not known.',
        ),
      ),
      views: v.pipe(v.nullable(countSchema), v.description('Page views of these visits that fit.')),
      why: v.pipe(v.nullable(v.string()), v.description('Why it is not known.')),
    }),
  ),
})
export type RulePreview = v.InferOutput<typeof previewSchema>

/** What is not kept of visits. */
const unknown = ({ field, pattern }: RefusalRule): string | null => {
  if (field === 'agent')
    return 'Of user agents only the names of browser and system are kept, so past visits cannot tell.'
  if (field === 'query') return 'The query of an address is not kept, so past visits cannot tell.'
  return field === 'referrer' && pattern.includes('/')
    ? 'Of a referrer only the host is kept, so past visits cannot tell.'
    : null
}

const filterOf = { path: 'page', host: 'host', country: 'country' } as const

type Figures = { sessions: number; views: number }

const figuresOf = async (
  { field, pattern }: RefusalRule,
  range: { from: string; to: string },
  context: ReportContext,
): Promise<Figures> => {
  if (field === 'referrer') {
    const asked = { query: { ...range, pattern: pattern.split('*').join(gap) } }
    return v.parse(referrers.output.entries.data, (await runReport(referrers, asked, context)).body.data)
  }
  if (field === 'agent' || field === 'query') return { sessions: 0, views: 0 }
  const { body } = await runReport(summary, { query: { ...range, [filterOf[field]]: writeValue(pattern) } }, context)
  return v.parse(summary.output.entries.data, body.data).totals
}

export const previewRules = async (rules: readonly RefusalRule[], context: ReportContext): Promise<RulePreview> => {
  const { zone, clock } = context
  const today = zone.dayOf(toSeconds(clock()))
  const range = { from: dayText(addDays(today, 1 - previewDays)), to: dayText(today) }
  const found: RulePreview['rules'] = []
  // One after the other: reports of others come between.
  for (const rule of rules) {
    const why = unknown(rule)
    const { sessions, views } = why === null ? await figuresOf(rule, range, context) : { sessions: null, views: null }
    found.push({ ...rule, sessions, views, why })
  }
  return { ...range, rules: found }
}
