import * as v from 'valibot'
import { countSchema, timeSchema } from '../http/schemas.ts'
import { timeText } from '../lib/time.ts'
import { backfillStatusSchema } from './backfill-status.ts'
import type { backfillQuery, infoQuery } from './facts.ts'

const time = v.nullable(timeSchema)
const optionalFlag = v.nullable(v.boolean())

/** The state of the connection to the shop, for /revenue/wc-status and `footfall shop status`. */
export const shopStatusSchema = v.object({
  woocommerce_active: v.pipe(
    v.boolean(),
    v.description(
      'Whether an order is stored, a shop has reported its version, or its address or webhook secret is set.',
    ),
  ),
  api_connected: v.pipe(
    optionalFlag,
    v.description("Whether the service has the address and the key of the shop's REST API; null outside the service."),
  ),
  woocommerce_version: v.nullable(v.string()),
  hpos_enabled: optionalFlag,
  attribution_enabled: optionalFlag,
  webhook: v.object({
    last_received_at: time,
    rejected: v.pipe(
      countSchema,
      v.description('Deliveries with a wrong signature, and signed ones that could not be used.'),
    ),
  }),
  backfill: backfillStatusSchema,
})

type ShopStatus = v.InferOutput<typeof shopStatusSchema>
type StatusSources = {
  info: v.InferOutput<typeof infoQuery.row> | undefined
  backfill: v.InferOutput<typeof backfillQuery.row> | undefined
  /** Whether an address or a webhook secret of a shop is set. */
  configured: boolean
  /** Whether the service can ask the shop; absent outside the service. */
  apiConnected?: boolean | undefined
  /** The running service's counts, which are newer than the file's. */
  deliveries?: { last_received_at: number | null; rejected: number } | undefined
}

const timeOf = (value: number | null | undefined): string | null => (value == null ? null : timeText(value))
const flagOf = (value: number | null | undefined): boolean | null => (value == null ? null : value === 1)

export const shopStatus = ({ info, backfill, configured, apiConnected, deliveries }: StatusSources): ShopStatus => {
  const stored = info?.orders_stored ?? 0
  const { last_received_at, rejected } = deliveries ?? info ?? {}
  return {
    woocommerce_active: stored > 0 || info?.woocommerce_version != null || configured,
    api_connected: apiConnected ?? null,
    woocommerce_version: info?.woocommerce_version ?? null,
    hpos_enabled: flagOf(info?.hpos_enabled),
    attribution_enabled: flagOf(info?.attribution_enabled) ?? (info?.attribution_seen === 1 ? true : null),
    webhook: { last_received_at: timeOf(last_received_at), rejected: rejected ?? 0 },
    backfill: {
      state: backfill?.state ?? 'idle',
      total: backfill?.total ?? null,
      processed: backfill?.processed ?? 0,
      refunds: backfill?.refunds ?? 0,
      started_at: timeOf(backfill?.started_at),
      finished_at: timeOf(backfill?.finished_at),
      last_error: backfill?.last_error ?? null,
      orders_in_shop: backfill?.orders_in_shop ?? null,
      orders_stored: stored,
    },
  }
}
