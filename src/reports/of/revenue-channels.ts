import * as v from 'valibot'
import { channels } from '../../channel/channel.ts'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/revenue-channels.sql'
import { rangeEntries } from '../asked-range.ts'
import { comparedFields } from '../compared-rows.ts'
import { dimensionRows } from '../dimension-rows.ts'
import { besideVisits, visitEntries, visitMeta, visitMetrics, visitNamed, visitsMissing } from '../order-visits.ts'
import { bindParameters } from '../pool.ts'
import { exactRatio, meanSchema, moneySchema, revenueReport, sumColumn, within as withinEntries } from '../revenue.ts'

const sql = statements(sqlText)

const byChannelQuery = query(
  sql('revenue.by-channel'),
  v.object(withinEntries),
  v.object({ channel: v.picklist(channels), orders: v.number(), net: sumColumn }),
  { reads: ['revenue_period'] },
)

const descending = (one: bigint, other: bigint): number => (one === other ? 0 : one < other ? 1 : -1)

export const revenueByChannels = revenueReport({
  path: '/revenue/by-channel',
  summary: 'Orders and revenue by channel',
  filters: true,
  query: rangeEntries,
  compared: { key: ({ channel }) => channel, figure: ({ revenue }) => revenue },
  data: v.array(
    v.object({
      channel: v.picklist(channels),
      orders: countSchema,
      revenue: moneySchema,
      average_order_value: meanSchema,
      share: ratioSchema,
      ...visitEntries,
      ...comparedFields,
    }),
  ),
  metrics: ['orders', 'revenue', 'average_order_value', ...visitMetrics],
  meta: visitMeta,
  named: { share: 'revenue_share', ...visitNamed },
  run: async input => {
    const { read, within, money } = input
    const missing = await visitsMissing(input)
    const [rows, visits] = await read([
      bindParameters(byChannelQuery, within()),
      ...(missing === null ? [dimensionRows('channel', channels.length, 0)] : []),
    ] as const)
    const sessionsOf = (channel: string): number | null =>
      missing === null ? (visits?.find(({ key }) => key === channel)?.sessions ?? 0) : null
    const all = rows.reduce((sum, { net }) => sum + BigInt(net), 0n)
    const found = channels.map(channel => {
      const { orders = 0, net = '0' } = rows.find(row => row.channel === channel) ?? {}
      return { channel, orders, net: BigInt(net) }
    })
    // Ties keep the order of api.md.
    const data = found
      .sort((a, b) => descending(a.net, b.net))
      .map(({ channel, orders, net }) => ({
        channel,
        orders,
        revenue: money.amount(net),
        average_order_value: money.mean(net, orders),
        share: exactRatio(net, all),
        ...besideVisits(sessionsOf(channel), orders, net, money),
      }))
    return { data, meta: { ...missing } }
  },
})
