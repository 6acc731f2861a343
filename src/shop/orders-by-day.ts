// The shop's orders as lines of an archive.
import * as v from 'valibot'
import { type OrderLine, orderColumns } from '../archive/lines.ts'
import { all, type Db, get, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Day, dayText, timeText, type Zone } from '../lib/time.ts'
import sqlText from '../sql/orders-by-day.sql'
import { readLists } from './content.ts'
import { listNames, type ProductName } from './names.ts'

const sql = statements(sqlText)

const { names: _, ...columns } = orderColumns
const json = v.string()
const daysQuery = query(sql('archive.order.days'), none, v.object({ id: v.number(), second: v.number() }))
const orderQuery = query(
  sql('archive.order.find'),
  v.object({ id: v.number() }),
  v.object({ ...columns, deleted: v.number(), lines: json, coupons: json, refunds: json }),
)

const keyOf = (product: number, variation: number): string => `${product} ${variation}`

/** Returns a function that lists the names given by an order and those of its products, sold or refunded. */
const createNameLookup = (db: Db) => {
  const names = listNames(db)
  const byOrder = Map.groupBy(names, ({ order_id }) => order_id)
  const byProduct = new Map(names.map(name => [keyOf(name.product_id, name.variation_id), name]))
  return (id: number, sold: readonly { product: number; variation: number }[]): ProductName[] => {
    const named = sold.flatMap(({ product, variation }) => [
      byProduct.get(keyOf(product, 0)),
      byProduct.get(keyOf(product, variation)),
    ])
    return [...new Set([...(byOrder.get(id) ?? []), ...named.filter(name => name !== undefined)])].sort(
      (a, b) => a.product_id - b.product_id || a.variation_id - b.variation_id,
    )
  }
}

/** Orders by the day of the payment, or of the creation while unpaid. */
type OrdersByDay = { days: readonly Day[]; linesOf: (day: Day) => Iterable<OrderLine> }

/** All orders of a range of days, counted or not, by id. */
export const ordersByDay = (db: Db, zone: Zone, from: Day, to: Day): OrdersByDay => {
  const orders = all(db, daysQuery, {})
    .map(({ id, second }) => ({ id, day: zone.dayOf(second) }))
    .filter(({ day }) => day >= from && day <= to)
  const byDay = Map.groupBy(orders, ({ day }) => day)
  const namesOf = createNameLookup(db)

  const lineOf = (id: number, day: Day): OrderLine => {
    const row = get(db, orderQuery, { id })
    if (row === undefined) throw new Error(`order ${id} is gone`)
    const { lines, coupons, refunds } = readLists(row)
    const names = namesOf(id, [...lines, ...refunds.flatMap(({ parts }) => parts?.lines ?? [])])
    return {
      type: 'order',
      day: dayText(day),
      ...row,
      deleted: row.deleted === 1,
      lines,
      coupons,
      refunds: refunds.map(refund => ({ ...refund, at: timeText(refund.at) })),
      names: names.map(({ product_id, variation_id, name, named_at, order_id }) => ({
        product: product_id,
        variation: variation_id,
        name,
        named_at: timeText(named_at),
        order: order_id,
      })),
    }
  }

  return {
    days: [...byDay.keys()].sort((a, b) => a - b),
    linesOf: function* (day) {
      for (const { id } of byDay.get(day) ?? []) yield lineOf(id, day)
    },
  }
}
