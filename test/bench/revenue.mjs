// A database of a year of a shop's orders, and the revenue reports on it.
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cachedCopy, daysBefore, importLines } from './cache.mjs'
import { ranged, reportTimes, sized } from './report-times.mjs'
import { importDays, yearScripts } from './year.mjs'

const orderLines = fileURLToPath(new URL('order-lines.mjs', import.meta.url))
const seed = 1
/** Some visits are there as well, for the stages of the funnel. */
const viewsPerOrder = 0.1

const ordersCopy = (context, orders) =>
  cachedCopy(context, {
    name: `orders-${orders}`,
    scripts: [orderLines, ...yearScripts],
    make: async (data, day) => {
      await importDays(context, orders * viewsPerOrder, 365, day, data)
      await importLines(context, orderLines, [orders, 365, day, seed], 'woocommerce-orders', data)
    },
  })

/** Every revenue report over a range of the year. */
export const revenueReports = (names, days) => async context => {
  const { data, day } = await ordersCopy(context, context.yearOrders)
  const size = statSync(data).size
  const times = await reportTimes(
    context,
    data,
    names.map(name => ({ key: name, path: ranged(name, daysBefore(day, days), day) })),
  )
  const bytes = {
    value: size / context.yearOrders,
    note: `${context.yearOrders.toLocaleString('en-US')} orders, ${Math.round(size / 2 ** 20)} MiB`,
  }
  return sized(context.yearOrders, { bytes, ...times })
}
