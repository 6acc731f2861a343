// Combines campaign and landing page, which no rollup does, so it reads raw sessions.
import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, pagination, ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/utm-landing.sql'
import { rangeEntries } from '../asked-range.ts'
import { pageColumns } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { ratio } from '../numbers.ts'
import { bindParameters } from '../pool.ts'
import { rawSpan } from '../raw.ts'
import { report } from '../report.ts'

const sql = statements(sqlText)

const landingQuery = query(
  sql('cross.landing'),
  v.object({ start: v.number(), end: v.number(), ...pageColumns }),
  v.object({ utm_campaign: v.string(), page: v.string(), sessions: v.number(), bounces: v.number() }),
)

export const campaignLandings = report({
  path: '/utm/landing',
  summary: 'Landing pages of campaigns, over at most 90 days',
  query: { ...rangeEntries, ...pagination },
  compared: {
    key: ({ utm_campaign, page }) => JSON.stringify([utm_campaign, page]),
    figure: ({ sessions }) => sessions,
  },
  data: v.array(
    v.object({
      utm_campaign: v.string(),
      page: v.string(),
      sessions: countSchema,
      bounces: countSchema,
      bounce_rate: ratioSchema,
      ...comparedFields,
    }),
  ),
  metrics: ['sessions', 'bounces', 'bounce_rate'],
  run: async ({ query: { limit, offset }, range, since, until, read, context: { zone } }) => {
    const [rows] = await read([
      bindParameters(landingQuery, { ...rawSpan({ range, since, until }, zone), limit, offset }),
    ])
    return { data: rows.map(row => ({ ...row, bounce_rate: ratio(row.bounces, row.sessions) })) }
  },
})
