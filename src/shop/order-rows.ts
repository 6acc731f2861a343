// The shop's orders as rows of an export in Parquet.
import type { OrderLine } from '../archive/lines.ts'
import type { Row } from '../archive/parquet/rows.ts'
import type { Db } from '../database/query.ts'
import { type Day, toSeconds, type Zone } from '../lib/time.ts'
import { countedStatuses } from './basis.ts'
import { moneyOf } from './effects.ts'
import { digitsOf } from './money.ts'
import { ordersByDay } from './orders-by-day.ts'

const secondOf = (time: string): number => toSeconds(Date.parse(time))

const rowOf = (line: OrderLine, counted: ReadonlySet<string>): Row => {
  const refunds = line.refunds.map(refund => ({ ...refund, at: secondOf(refund.at) }))
  const { refunded, net } = moneyOf({ ...line, refunds })
  return {
    ...line,
    order_id: line.id,
    counted: !line.deleted && counted.has(line.status),
    minor_digits: digitsOf(line.currency),
    created_at: secondOf(line.created_at),
    paid_at: line.paid_at === null ? null : secondOf(line.paid_at),
    modified_at: secondOf(line.modified_at),
    total_minor: line.total,
    tax_minor: line.tax,
    shipping_minor: line.shipping,
    refunded_minor: refunded,
    net_minor: net,
    source_domain: line.domain,
    landing_host: line.landing_host || null,
    lines: JSON.stringify(line.lines),
    coupons: JSON.stringify(line.coupons),
    refunds: JSON.stringify(line.refunds),
    // Not which order named them when: that is another one with each sale, and an old day's file would not stay as it is.
    product_names: JSON.stringify(line.names.map(({ product, variation, name }) => ({ product, variation, name }))),
  }
}

/** All orders of a range of days, counted or not. */
export const orderRows = (db: Db, zone: Zone, from: Day, to: Day) => {
  const { days, linesOf } = ordersByDay(db, zone, from, to)
  const counted = new Set(countedStatuses(db))
  return { days, rowsOf: (day: Day): Row[] => [...linesOf(day)].map(line => rowOf(line, counted)) }
}
