import * as v from 'valibot'
import { query } from '../database/query.ts'
import { countSchema, pagination } from '../http/schemas.ts'
import { listedColumn, listedIn, pageColumns } from '../reports/breakdown.ts'
import { comparedFields } from '../reports/compared-rows.ts'
import {
  besideVisits,
  visitEntries,
  visitMeta,
  visitMetrics,
  visitNamed,
  visitsMissing,
} from '../reports/order-visits.ts'
import { bindParameters } from '../reports/pool.ts'
import {
  meanSchema,
  moneySchema,
  revenueReport,
  sumColumn,
  within as withinEntries,
  type Money,
} from '../reports/revenue.ts'
import { rangeEntries } from '../reports/report.ts'
import revenueLanding from '../sql/revenue.landing.sql'
import landingVisits from '../sql/revenue.landing-visits.sql'
import revenueUtm from '../sql/revenue.utm.sql'
import utmVisits from '../sql/revenue.utm-visits.sql'

const text = v.nullable(v.string())
const sums = { ...listedColumn, orders: v.number(), net: sumColumn }
const utm = { utm_source: text, utm_medium: text, utm_campaign: text }
const landing = { landing_page: text }
const page = v.object({ ...withinEntries, ...pageColumns })
const listed = v.object({ listed: v.string() })
const sessions = v.number()
const utmQuery = query(revenueUtm, page, v.object({ ...utm, ...sums }), { reads: ['revenue_period'] })
const utmVisitsQuery = query(utmVisits, listed, v.object({ ...utm, sessions }), { reads: ['utm_rollup', 'period'] })
const landingQuery = query(revenueLanding, page, v.object({ ...landing, ...sums }), { reads: ['revenue_period'] })
const landingVisitsQuery = query(landingVisits, listed, v.object({ ...landing, sessions }), {
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
  summary: 'Orders and revenue by UTM parameters, with the sessions that /utm lists for them',
  filters: true,
  list: true,
  query: { ...rangeEntries, ...pagination },
  compared: { key: utmKey, figure: ({ revenue }) => revenue },
  data: v.array(v.object({ ...utm, ...figures })),
  metrics,
  named: visitNamed,
  meta: visitMeta,
  run: async input => {
    const {
      query: { limit, offset },
      read,
      within,
      money,
    } = input
    const ask = (page: { limit: number; offset: number }) => read([bindParameters(utmQuery, { ...within(), ...page })])
    const missing = await visitsMissing(input)
    const [rows] = await ask({ limit, offset })
    const names = `[${rows.map(utmKey).join()}]`
    const [visits] = missing === null ? await read([bindParameters(utmVisitsQuery, { listed: names })]) : [[]]
    const counts = new Map(visits.map(row => [utmKey(row), row.sessions]))
    const sessionsOf = (row: Utm): number | null =>
      missing === null && isListed(row) ? (counts.get(utmKey(row)) ?? 0) : null
    const listed = await listedIn(rows, offset, async () => (await ask({ limit: 1, offset: 0 }))[0])
    const data = rows.map(row => ({
      utm_source: row.utm_source,
      utm_medium: row.utm_medium,
      utm_campaign: row.utm_campaign,
      ...figuresOf(row, sessionsOf(row), money),
    }))
    return { data, total: listed, meta: { ...missing } }
  },
})

export const revenueByLanding = revenueReport({
  path: '/revenue/by-landing',
  summary: 'Orders and revenue by landing page, with the sessions that began there; null if unknown',
  filters: true,
  list: true,
  query: { ...rangeEntries, ...pagination },
  compared: { key: row => JSON.stringify(row.landing_page), figure: ({ revenue }) => revenue },
  data: v.array(v.object({ ...landing, ...figures })),
  metrics,
  named: visitNamed,
  meta: visitMeta,
  run: async input => {
    const {
      query: { limit, offset },
      read,
      within,
      money,
    } = input
    const ask = (page: { limit: number; offset: number }) =>
      read([bindParameters(landingQuery, { ...within(), ...page })])
    const missing = await visitsMissing(input)
    const [rows] = await ask({ limit, offset })
    const names = JSON.stringify(rows.map(row => row.landing_page))
    const [visits] = missing === null ? await read([bindParameters(landingVisitsQuery, { listed: names })]) : [[]]
    const counts = new Map(visits.map(row => [row.landing_page, row.sessions]))
    const sessionsOf = (name: string | null): number | null =>
      missing === null && name !== null ? (counts.get(name) ?? 0) : null
    const listed = await listedIn(rows, offset, async () => (await ask({ limit: 1, offset: 0 }))[0])
    return {
      data: rows.map(({ landing_page, ...row }) => ({
        landing_page,
        ...figuresOf(row, sessionsOf(landing_page), money),
      })),
      total: listed,
      meta: { ...missing },
    }
  },
})
