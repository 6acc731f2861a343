import * as v from 'valibot'
import { query } from '../database/query.ts'
import { countSchema, pagination } from '../http/schemas.ts'
import { listedColumn, listedIn, pageColumns } from '../reports/breakdown.ts'
import { comparedFields } from '../reports/compared-rows.ts'
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
import revenueUtm from '../sql/revenue.utm.sql'

const text = v.nullable(v.string())
const sums = { ...listedColumn, orders: v.number(), net: sumColumn }
const utm = { utm_source: text, utm_medium: text, utm_campaign: text }
const landing = { landing_page: text }
const listed = v.object({ ...withinEntries, ...pageColumns })
const utmQuery = query(revenueUtm, listed, v.object({ ...utm, ...sums }), { reads: ['revenue_period'] })
const landingQuery = query(revenueLanding, listed, v.object({ ...landing, ...sums }), { reads: ['revenue_period'] })

const figures = { orders: countSchema, revenue: moneySchema, average_order_value: meanSchema, ...comparedFields }

const figuresOf = ({ orders, net }: { orders: number; net: string }, { amount, mean }: Money) => ({
  orders,
  revenue: amount(net),
  average_order_value: mean(net, orders),
})

export const revenueByUtm = revenueReport({
  path: '/revenue/by-utm',
  summary: 'Orders and revenue by UTM parameters',
  list: true,
  query: { ...rangeEntries, ...pagination },
  compared: {
    key: row => JSON.stringify([row.utm_source, row.utm_medium, row.utm_campaign]),
    figure: ({ revenue }) => revenue,
  },
  data: v.array(v.object({ ...utm, ...figures })),
  metrics: ['orders', 'revenue', 'average_order_value'],
  run: async ({ query: { limit, offset }, read, within, money }) => {
    const ask = (page: { limit: number; offset: number }) => read([bindParameters(utmQuery, { ...within(), ...page })])
    const [rows] = await ask({ limit, offset })
    const listed = await listedIn(rows, offset, async () => (await ask({ limit: 1, offset: 0 }))[0])
    const data = rows.map(({ utm_source, utm_medium, utm_campaign, ...sums }) => ({
      utm_source,
      utm_medium,
      utm_campaign,
      ...figuresOf(sums, money),
    }))
    return { data, total: listed }
  },
})

export const revenueByLanding = revenueReport({
  path: '/revenue/by-landing',
  summary: 'Orders and revenue by landing page; null if unknown',
  list: true,
  query: { ...rangeEntries, ...pagination },
  compared: { key: row => JSON.stringify(row.landing_page), figure: ({ revenue }) => revenue },
  data: v.array(v.object({ ...landing, ...figures })),
  metrics: ['orders', 'revenue', 'average_order_value'],
  run: async ({ query: { limit, offset }, read, within, money }) => {
    const ask = (page: { limit: number; offset: number }) =>
      read([bindParameters(landingQuery, { ...within(), ...page })])
    const [rows] = await ask({ limit, offset })
    const listed = await listedIn(rows, offset, async () => (await ask({ limit: 1, offset: 0 }))[0])
    return {
      data: rows.map(({ landing_page, ...sums }) => ({ landing_page, ...figuresOf(sums, money) })),
      total: listed,
    }
  },
})
