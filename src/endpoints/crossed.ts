// Two reports that cross what rollups keep apart; they read single visits.
import * as v from 'valibot'
import { query } from '../database/query.ts'
import { countSchema, pagination, ratioSchema } from '../http/schemas.ts'
import { bindTotals, pageColumns } from '../reports/breakdown.ts'
import { ratio } from '../reports/numbers.ts'
import { bind } from '../reports/pool.ts'
import { rawSpan } from '../reports/raw.ts'
import { rangeEntries, report } from '../reports/report.ts'
import crossLanding from '../sql/cross.landing.sql'
import crossSystemBrowser from '../sql/cross.system-browser.sql'

const between = { start: v.number(), end: v.number(), ...pageColumns }
const counts = { sessions: v.number(), bounces: v.number() }
const text = v.nullable(v.string())
const landingQuery = query(crossLanding, v.object(between), v.object({ utm_campaign: v.string(), page: v.string(), ...counts }))
const systemQuery = query(crossSystemBrowser, v.object(between), v.object({ os: text, browser: text, ...counts }))

const sessions = { sessions: countSchema, bounces: countSchema, bounce_rate: ratioSchema }

export const campaignLandings = report({
  path: '/utm/landing',
  summary: 'Pages on which the sessions of campaigns began, over at most 90 days',
  query: { ...rangeEntries, ...pagination },
  data: v.array(v.object({ utm_campaign: v.string(), page: v.string(), ...sessions })),
  metrics: ['sessions', 'bounces', 'bounce_rate'],
  find: async ({ query: { limit, offset }, range, read, context: { zone } }) => {
    const [rows] = await read([bind(landingQuery, { ...rawSpan(range, zone), limit, offset })])
    return { data: rows.map(row => ({ ...row, bounce_rate: ratio(row.bounces, row.sessions) })) }
  },
})

export const systemBrowsers = report({
  path: '/dimensions/os/browser',
  summary: 'Pairs of operating system and browser, over at most 90 days',
  query: { ...rangeEntries, ...pagination },
  data: v.array(v.object({ os: text, browser: text, ...sessions, share: ratioSchema })),
  metrics: ['sessions', 'bounces', 'bounce_rate', 'share'],
  find: async ({ query: { limit, offset }, range, read, context: { zone } }) => {
    const [rows, all] = await read([bind(systemQuery, { ...rawSpan(range, zone), limit, offset }), bindTotals(range)])
    return { data: rows.map(row => ({ ...row, bounce_rate: ratio(row.bounces, row.sessions), share: ratio(row.sessions, all[0]?.sessions ?? 0) })) }
  },
})
