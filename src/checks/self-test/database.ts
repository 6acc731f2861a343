import { join } from 'node:path'
import * as v from 'valibot'
import { noteAction } from '../../audit/audit.ts'
import { backup } from '../../database/backup.ts'
import { openDatabase } from '../../database/open.ts'
import { type Db, get, none, query } from '../../database/query.ts'
import { restore } from '../../database/restore.ts'
import { statements } from '../../database/statements.ts'
import { addDays, type Day, dayText, toSeconds } from '../../lib/time.ts'
import { revenueSummary } from '../../reports/of/revenue-summary.ts'
import { summary } from '../../reports/of/summary.ts'
import type { Report } from '../../reports/report.ts'
import { runReport } from '../../reports/run.ts'
import { purgeBefore } from '../../rollup/purge.ts'
import { createShopStore } from '../../shop/store.ts'
import sqlText from '../../sql/self-test.sql'
import { type Sentence, say } from '../sentences.ts'
import { type Check, expect, type SelfTestDeps } from './check.ts'
import { openPipeline, type Pipeline } from './pipeline.ts'

const sql = statements(sqlText)

const count = v.number()
const rowsQuery = query(
  sql('raw-rows'),
  none,
  v.object({ views: count, sessions: count, events: count, counted: count }),
)
const totalsSchema = v.object({
  data: v.object({ totals: v.object({ visitors: count, sessions: count, views: count }) }),
})

const rowsOf = (db: Db) => get(db, rowsQuery, {}) ?? { views: 0, sessions: 0, events: 0, counted: 0 }

/** Sends one visit of two pages, at noon of a day. */
const visit = async ({ send }: Pipeline, noon: number): Promise<void> => {
  const outcomes = [
    await send('hit', { page_url: '/first', pvid: `self-test-${noon}-one` }, noon),
    await send('hit', { page_url: '/second', pvid: `self-test-${noon}-two` }, noon + 60),
    await send('event', { name: 'self_test', page_url: '/second' }, noon + 90),
    await send('engagement', { pvid: `self-test-${noon}-two`, engagement_time: 20 }, noon + 100),
  ]
  expect(
    outcomes.every(outcome => outcome === 'accepted'),
    say('visit_refused', { outcomes: outcomes.join(', ') }),
  )
}

/** The body of a report of one day, as in the API. */
const reportOf = async (
  report: Report,
  { read }: Pipeline,
  { clock, zone }: SelfTestDeps,
  day: Day,
): Promise<unknown> => {
  const context = { clock, zone, read, keepQuery: [], zoneChanges: [], imported: [], activeSince: () => [] }
  const { body } = await runReport(report, { query: { from: dayText(day), to: dayText(day) } }, context)
  return body
}

const totalsOf = async (pipeline: Pipeline, deps: SelfTestDeps, day: Day) =>
  v.parse(totalsSchema, await reportOf(summary, pipeline, deps, day)).data.totals

const noonOf = ({ zone }: SelfTestDeps, day: Day): number => zone.startOf(day) + 12 * 3600

const withPipeline = async (
  deps: SelfTestDeps,
  name: string,
  work: (pipeline: Pipeline) => Promise<Sentence>,
): Promise<Sentence> => {
  const pipeline = openPipeline(deps, name)
  try {
    return await work(pipeline)
  } finally {
    pipeline.close()
  }
}

const yesterday = ({ zone, clock }: SelfTestDeps): Day => addDays(zone.dayOf(toSeconds(clock())), -1)

const collection: Check = {
  id: 'collection',
  run: deps =>
    withPipeline(deps, 'collection', async pipeline => {
      const day = yesterday(deps)
      await visit(pipeline, noonOf(deps, day))
      pipeline.derive()
      deps.onFile?.('collection', pipeline.path)
      const { views, sessions, events } = rowsOf(pipeline.db)
      const totals = await totalsOf(pipeline, deps, day)
      expect(views === 2 && sessions === 1 && events === 1, say('visit_stored_wrong', { sessions, views, events }))
      expect(
        totals.views === views && totals.sessions === sessions && totals.visitors === 1,
        say('report_wrong', {
          reported_views: totals.views,
          reported_sessions: totals.sessions,
          visitors: totals.visitors,
          views,
          sessions,
        }),
      )
      return say('collection_tested')
    }),
}

const retention: Check = {
  id: 'retention',
  run: deps =>
    withPipeline(deps, 'retention', async pipeline => {
      const day = yesterday(deps)
      for (const visitDay of [addDays(day, -40), day]) await visit(pipeline, noonOf(deps, visitDay))
      pipeline.derive()
      deps.onFile?.('retention', pipeline.path)
      await purgeBefore(pipeline.db, deps.zone, addDays(day, -30))
      const { views, counted } = rowsOf(pipeline.db)
      expect(views === 2, say('purge_views_wrong', { views }))
      expect(counted === 4, say('purge_reports_wrong', { views: counted }))
      return say('retention_tested')
    }),
}

const backups: Check = {
  id: 'backup',
  run: deps =>
    withPipeline(deps, 'original', async pipeline => {
      await visit(pipeline, noonOf(deps, yesterday(deps)))
      pipeline.derive()
      const [copy, restored] = [join(deps.folder, 'copy.db'), join(deps.folder, 'restored.db')]
      backup(pipeline.path, copy, false)
      deps.onFile?.('backup', copy)
      restore(copy, restored, 'self-test')
      const { db } = openDatabase(restored)
      try {
        expect(JSON.stringify(rowsOf(db)) === JSON.stringify(rowsOf(pipeline.db)), say('backup_wrong'))
      } finally {
        db.close()
      }
      return say('backup_tested')
    }),
}

/** A time in the shop's format: UTC without a zone. */
const shopTime = (time: number): string => new Date(time * 1000).toISOString().slice(0, 19)

/** 119.00 with 19.00 tax, of which 11.90 were refunded: the net revenue is 90.00. */
const orderOf = (noon: number) => ({
  id: 1,
  status: 'completed',
  currency: 'EUR',
  date_created_gmt: shopTime(noon),
  date_paid_gmt: shopTime(noon),
  date_modified_gmt: shopTime(noon),
  total: '119.00',
  total_tax: '19.00',
  shipping_total: '0.00',
  coupon_lines: [],
  meta_data: [],
  line_items: [
    { id: 1, name: 'Self-test', product_id: 1, variation_id: 0, quantity: 2, total: '100.00', total_tax: '19.00' },
  ],
  refunds: [{ id: 2, reason: '', total: '-11.90' }],
})
const revenueSchema = v.object({
  data: v.object({ orders: count, gross_revenue: count, net_revenue: count, refund_total: count }),
})

const orders: Check = {
  id: 'orders',
  run: deps =>
    withPipeline(deps, 'orders', async pipeline => {
      const day = yesterday(deps)
      const store = createShopStore({
        db: pipeline.db,
        zone: deps.zone,
        paidStatuses: ['completed'],
        siteHosts: [],
        keepQuery: [],
      })
      const results = [store.upsert(orderOf(noonOf(deps, day))), store.upsert(orderOf(noonOf(deps, day)))].map(
        ({ result }) => result,
      )
      expect(
        results.join() === 'stored,unchanged',
        say('order_wrong', { first: results[0] ?? '', second: results[1] ?? '' }),
      )
      deps.onFile?.('orders', pipeline.path)
      const { data } = v.parse(revenueSchema, await reportOf(revenueSummary, pipeline, deps, day))
      expect(
        data.orders === 1 && data.gross_revenue === 119 && data.net_revenue === 90 && data.refund_total === 11.9,
        say('revenue_wrong', {
          orders: data.orders,
          gross: data.gross_revenue,
          net: data.net_revenue,
          refunded: data.refund_total,
        }),
      )
      return say('orders_tested')
    }),
}

class RolledBack extends Error {}

const transaction: Check = {
  id: 'transaction',
  run: ({ path, clock }) => {
    const { db } = openDatabase(path, { mustExist: true })
    try {
      db.transaction(() => {
        noteAction(db, { at: toSeconds(clock()), who: 'self-test' }, 'login', {})
        throw new RolledBack()
      }).immediate()
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
    } finally {
      db.close()
    }
    return say('transaction_tested')
  },
}

export const databaseChecks: readonly Check[] = [collection, retention, orders, backups, transaction]
