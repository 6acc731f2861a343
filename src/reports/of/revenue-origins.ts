import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, pagination } from '../../http/schemas.ts'
import sqlText from '../../sql/revenue-origins.sql'
import { rangeEntries } from '../asked-range.ts'
import { listedColumn, listedIn, pageColumns } from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import { besideVisits, visitEntries, visitMeta, visitMetrics, visitNamed, visitsMissing } from '../order-visits.ts'
import { bindParameters } from '../pool.ts'
import {
  type Money,
  meanSchema,
  moneySchema,
  type RevenueInput,
  revenueReport,
  sumColumn,
  within as withinEntries,
} from '../revenue.ts'

const sql = statements(sqlText)

const text = v.nullable(v.string())
const sums = { ...listedColumn, orders: v.number(), net: sumColumn }
const utm = { utm_source: text, utm_medium: text, utm_campaign: text }
const landing = { landing_page: text }
const page = v.object({ ...withinEntries, ...pageColumns })
const listed = v.object({ listed: v.string() })
const sessions = v.number()
const utmQuery = query(sql('revenue.utm'), page, v.object({ ...utm, ...sums }), { reads: ['revenue_period'] })
const utmVisitsQuery = query(sql('revenue.utm-visits'), listed, v.object({ ...utm, sessions }), {
  reads: ['utm_rollup', 'period'],
})
const landingQuery = query(sql('revenue.landing'), page, v.object({ ...landing, ...sums }), {
  reads: ['revenue_period'],
})
const landingVisitsQuery = query(sql('revenue.landing-visits'), listed, v.object({ ...landing, sessions }), {
  reads: ['page_rollup', 'period'],
})

const figures = {
  orders: countSchema,
  revenue: moneySchema,
  average_order_value: meanSchema,
  ...visitEntries,
  ...comparedFields,
}
const metrics = ['orders', 'revenue', 'average_order_value', ...visitMetrics] as const

type Sums = { orders: number; net: string }

const figuresOf = ({ orders, net }: Sums, visits: number | null, money: Money) => ({
  orders,
  revenue: money.amount(net),
  average_order_value: money.mean(net, orders),
  ...besideVisits(visits, orders, net, money),
})

const listQuery = { ...rangeEntries, ...pagination }
type Page = { limit: number; offset: number }

type Origins<Origin> = {
  ask: (page: Page) => Promise<readonly (Origin & Sums & { listed: number })[]>
  /** Reads the sessions of some keys, a list in JSON. */
  askVisits: (keys: string) => Promise<readonly (Origin & { sessions: number })[]>
  keyOf: (origin: Origin) => string
  /** Whether sessions of such an origin are listed at all. */
  hasVisits: (origin: Origin) => boolean
}

/** A page of origins with their figures, and the sessions that belong to them. */
const listOrigins = async <Origin>(
  input: RevenueInput<typeof listQuery>,
  { ask, askVisits, keyOf, hasVisits }: Origins<Origin>,
) => {
  const { limit, offset } = input.query
  const missing = await visitsMissing(input)
  const rows = await ask({ limit, offset })
  const visits = missing === null ? await askVisits(`[${rows.map(keyOf).join()}]`) : []
  const counts = new Map(visits.map(row => [keyOf(row), row.sessions]))
  const sessionsOf = (row: Origin): number | null =>
    missing === null && hasVisits(row) ? (counts.get(keyOf(row)) ?? 0) : null
  return {
    rows: rows.map(row => ({ row, figures: figuresOf(row, sessionsOf(row), input.money) })),
    total: await listedIn(rows, offset, () => ask({ limit: 1, offset: 0 })),
    meta: { ...missing },
  }
}

type Utm = { utm_source: string | null; utm_medium: string | null; utm_campaign: string | null }
const utmOf = ({ utm_source, utm_medium, utm_campaign }: Utm): (string | null)[] => [
  utm_source,
  utm_medium,
  utm_campaign,
]
const utmKey = (row: Utm): string => JSON.stringify(utmOf(row).map(value => value ?? ''))
/** /utm lists no sessions without any of the three. */
const isListed = (row: Utm): boolean => utmOf(row).some(value => value !== null)

export const revenueByUtm = revenueReport({
  path: '/revenue/by-utm',
  summary: 'Orders and revenue by UTM parameters, with the visits that /utm lists for them',
  filters: true,
  list: true,
  query: listQuery,
  compared: { key: utmKey, figure: ({ revenue }) => revenue },
  data: v.array(v.object({ ...utm, ...figures })),
  metrics,
  named: visitNamed,
  meta: visitMeta,
  run: async input => {
    const { read, within } = input
    const { rows, ...rest } = await listOrigins<Utm>(input, {
      ask: async page => (await read([bindParameters(utmQuery, { ...within(), ...page })]))[0],
      askVisits: async listed => (await read([bindParameters(utmVisitsQuery, { listed })]))[0],
      keyOf: utmKey,
      hasVisits: isListed,
    })
    const data = rows.map(({ row: { utm_source, utm_medium, utm_campaign }, figures: shown }) => ({
      utm_source,
      utm_medium,
      utm_campaign,
      ...shown,
    }))
    return { data, ...rest }
  },
})

type Landing = { landing_page: string | null }
const landingKey = ({ landing_page }: Landing): string => JSON.stringify(landing_page)

export const revenueByLanding = revenueReport({
  path: '/revenue/by-landing',
  summary: 'Orders and revenue by landing page, with the visits that began there; null if unknown',
  filters: true,
  list: true,
  query: listQuery,
  compared: { key: landingKey, figure: ({ revenue }) => revenue },
  data: v.array(v.object({ ...landing, ...figures })),
  metrics,
  named: visitNamed,
  meta: visitMeta,
  run: async input => {
    const { read, within } = input
    const { rows, ...rest } = await listOrigins<Landing>(input, {
      ask: async page => (await read([bindParameters(landingQuery, { ...within(), ...page })]))[0],
      askVisits: async listed => (await read([bindParameters(landingVisitsQuery, { listed })]))[0],
      keyOf: landingKey,
      hasVisits: ({ landing_page }) => landing_page !== null,
    })
    return { data: rows.map(({ row: { landing_page }, figures: shown }) => ({ landing_page, ...shown })), ...rest }
  },
})
