import * as v from 'valibot'
import { countSchema, timeSchema } from '../http/schemas.ts'
import { bind } from '../reports/pool.ts'
import { rangeEntries } from '../reports/report.ts'
import { revenueReport } from '../reports/revenue.ts'
import { backfillStatusSchema } from '../shop/backfill-status.ts'
import { backfillQuery, infoQuery } from '../shop/facts.ts'
import { timeText } from '../time.ts'

const time = v.nullable(timeSchema)
const known = v.nullable(v.boolean())

const timeOf = (value: number | null): string | null => value === null ? null : timeText(value)
const knownOf = (value: number | null | undefined): boolean | null => value == null ? null : value === 1

export const revenueStatus = revenueReport({
  path: '/revenue/wc-status',
  summary: 'Whether a shop is connected, and how its orders come in',
  query: rangeEntries,
  data: v.object({
    woocommerce_active: v.pipe(v.boolean(), v.description('Whether an order is stored, or an address or webhook secret of a shop is set.')),
    woocommerce_version: v.nullable(v.string()),
    hpos_enabled: known,
    attribution_enabled: known,
    webhook: v.object({ last_received_at: time, rejected: v.pipe(countSchema, v.description('Deliveries with a wrong signature, and signed ones that could not be used.')) }),
    backfill: backfillStatusSchema,
  }),
  metrics: [],
  find: async ({ read, context: { shop } }) => {
    // Where the scheduler is late, whoever looks how it goes sets it going.
    shop?.jobs.tick()
    const [[info], [backfill]] = await read([bind(infoQuery, {}), bind(backfillQuery, {})])
    const stored = info?.orders_stored ?? 0
    // Beside a running service the file is up to date within seconds.
    const { last_received_at = null, rejected = 0 } = shop?.deliveries.state() ?? info ?? {}
    return { data: {
      woocommerce_active: stored > 0 || shop?.configured === true,
      woocommerce_version: info?.woocommerce_version ?? null,
      hpos_enabled: knownOf(info?.hpos_enabled),
      attribution_enabled: knownOf(info?.attribution_enabled) ?? (info?.attribution_seen === 1 ? true : null),
      webhook: { last_received_at: timeOf(last_received_at), rejected: rejected ?? 0 },
      backfill: {
        state: backfill?.state ?? 'idle', total: backfill?.total ?? null, processed: backfill?.processed ?? 0, refunds: backfill?.refunds ?? 0,
        started_at: timeOf(backfill?.started_at ?? null), finished_at: timeOf(backfill?.finished_at ?? null), last_error: backfill?.last_error ?? null,
        orders_in_shop: backfill?.orders_in_shop ?? null, orders_stored: stored,
      },
    } }
  },
})
