import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/refusals.sql'
import { rangeEntries } from '../asked-range.ts'
import { rangeColumns } from '../breakdown.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'

const sql = statements(sqlText)

const outcomesQuery = query(
  sql('outcomes'),
  v.object(rangeColumns),
  v.object({ outcome: v.string(), requests: v.number() }),
)
const hostsQuery = query(
  sql('hosts'),
  v.object({ ...rangeColumns, limit: v.number() }),
  v.object({ host: v.string(), requests: v.number() }),
)

const rulesQuery = query(
  sql('rules'),
  v.object({ ...rangeColumns, limit: v.number() }),
  v.object({ rule: v.string(), requests: v.number() }),
)

const hostCount = 25
/** Rules at a time are fewer; those that are gone are listed as well. */
const ruleCount = 200

const dataSchema = v.object({
  outcomes: v.array(v.object({ outcome: v.string(), requests: countSchema })),
  rules: v.pipe(
    v.array(v.object({ rule: v.string(), requests: countSchema })),
    v.description('Those of the outcome `rule` by the name of the rule.'),
  ),
  foreign_hosts: v.array(v.object({ host: v.string(), requests: countSchema })),
})
export type RefusalsData = v.InferOutput<typeof dataSchema>

export const refusals = report({
  path: '/refusals',
  tag: 'Operation',
  summary: 'Collection requests by outcome, what each of your rules refused, and foreign hosts that sent some',
  can: 'manage_options',
  query: rangeEntries,
  data: dataSchema,
  metrics: [],
  run: async ({ range: { from, to }, read }) => {
    const [outcomes, rules, foreign_hosts] = await read([
      bindParameters(outcomesQuery, { from, to }),
      bindParameters(rulesQuery, { from, to, limit: ruleCount }),
      bindParameters(hostsQuery, { from, to, limit: hostCount }),
    ])
    return { data: { outcomes, rules, foreign_hosts } }
  },
})
