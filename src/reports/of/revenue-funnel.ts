import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema, ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/revenue-funnel.sql'
import { rangeEntries } from '../asked-range.ts'
import { rangeColumns } from '../breakdown.ts'
import { ratio } from '../numbers.ts'
import { bindParameters } from '../pool.ts'
import { revenueReport, within } from '../revenue.ts'
import { bindRevenueTotals, noTotals } from '../revenue-totals.ts'

const sql = statements(sqlText)

const stages = ['product_view', 'add_to_cart', 'checkout_start', 'purchase'] as const
const funnelQuery = query(
  sql('revenue.funnel'),
  v.object(rangeColumns),
  v.object({ stage: v.string(), sessions: v.number() }),
  {
    reads: ['funnel_day'],
  },
)
const withoutVisitQuery = query(sql('revenue.without-visit'), v.object(within), v.object({ orders: v.number() }), {
  reads: ['revenue_period'],
})

export const revenueFunnelReport = revenueReport({
  path: '/revenue/funnel',
  summary: 'Funnel from product view to purchase',
  filters: true,
  query: rangeEntries,
  data: v.object({
    stages: v.array(
      v.object({ stage: v.picklist(stages), sessions: countSchema, step_rate: ratioSchema, overall_rate: ratioSchema }),
    ),
    overall_conversion: ratioSchema,
    orders_without_visit: v.pipe(
      countSchema,
      v.description(
        'Of the purchases, those for which neither the shop nor a purchase event says where a visit began.',
      ),
    ),
  }),
  metrics: ['step_rate', 'overall_rate', 'overall_conversion', 'orders_without_visit'],
  named: { sessions: 'stage_sessions' },
  run: async ({ range, read, within: bounds }) => {
    const [reached, [totals = noTotals], [unseen]] = await read([
      bindParameters(funnelQuery, { from: range.from, to: range.to }),
      bindRevenueTotals(bounds()),
      bindParameters(withoutVisitQuery, bounds()),
    ])
    const sessions = stages.map(stage =>
      stage === 'purchase' ? totals.orders : (reached.find(row => row.stage === stage)?.sessions ?? 0),
    )
    const widest = Math.max(...sessions)
    const data = stages.map((stage, index) => {
      const [before, count = 0] = [sessions[index - 1], sessions[index]]
      return {
        stage,
        sessions: count,
        step_rate: before === undefined ? null : ratio(count, before),
        overall_rate: ratio(count, widest),
      }
    })
    return {
      data: {
        stages: data,
        overall_conversion: ratio(totals.orders, widest),
        orders_without_visit: unseen?.orders ?? 0,
      },
    }
  },
})
