import { backfillQuery, infoQuery } from '../../shop/facts.ts'
import { shopStatus, shopStatusSchema } from '../../shop/status.ts'
import { rangeEntries } from '../asked-range.ts'
import { bindParameters } from '../pool.ts'
import { revenueReport } from '../revenue.ts'

export const revenueStatus = revenueReport({
  path: '/revenue/wc-status',
  summary: 'State of the shop connection and of the import of orders',
  filters: false,
  query: rangeEntries,
  data: shopStatusSchema,
  metrics: [],
  run: async ({ read, context: { shop } }) => {
    // If the scheduler is late, a request of the status starts what is due.
    shop?.jobs.tick()
    const [[info], [backfill]] = await read([bindParameters(infoQuery, {}), bindParameters(backfillQuery, {})])
    // Outside the service this reads the file, which is at most a few seconds behind.
    return {
      data: shopStatus({
        info,
        backfill,
        configured: shop?.configured === true,
        apiConnected: shop && shop.jobs.missing === null,
        deliveries: shop?.deliveries.state(),
      }),
    }
  },
})
