import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, pagination, ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/systems.sql'
import { rangeEntries } from '../asked-range.ts'
import { bindTotals, pageColumns, share, withShare } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { ratio } from '../numbers.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'

const sql = statements(sqlText)

const text = v.nullable(v.string())
const systemsQuery = query(
  sql('dimensions.systems'),
  v.object(pageColumns),
  v.object({ os: text, browser: text, sessions: v.number(), bounces: v.number() }),
  { reads: ['dimension_rollup', 'period'] },
)

export const systemBrowsers = report({
  path: '/dimensions/os/browser',
  summary: 'Pairs of operating system and browser',
  query: { ...rangeEntries, ...pagination },
  compared: { key: ({ os, browser }) => JSON.stringify([os, browser]), figure: ({ sessions }) => sessions },
  data: v.array(
    v.object({
      os: text,
      browser: text,
      sessions: countSchema,
      bounces: countSchema,
      bounce_rate: ratioSchema,
      ...share,
      ...comparedFields,
    }),
  ),
  metrics: ['sessions', 'bounces', 'bounce_rate', 'share'],
  run: async ({ query: { limit, offset }, range, read }) => {
    const [rows, all] = await read([bindParameters(systemsQuery, { limit, offset }), bindTotals(range)])
    return {
      data: withShare(
        rows.map(row => ({ ...row, bounce_rate: ratio(row.bounces, row.sessions) })),
        all,
      ),
    }
  },
})
