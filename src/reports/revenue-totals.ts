import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/revenue-totals.sql'
import { bindParameters } from './pool.ts'
import { sumColumn, type Within, within } from './revenue.ts'

const sql = statements(sqlText)

const totalsQuery = query(
  sql('revenue.totals'),
  v.object(within),
  v.object({
    orders: v.number(),
    gross: sumColumn,
    tax: sumColumn,
    shipping: sumColumn,
    net: sumColumn,
    refunded: sumColumn,
  }),
  { reads: ['revenue_period'] },
)

export type Totals = v.InferOutput<typeof totalsQuery.row>

/** Sums over all counted orders of a range. */
export const bindRevenueTotals = (given: Within) => bindParameters(totalsQuery, given)

export const noTotals: Totals = { orders: 0, gross: '0', tax: '0', shipping: '0', net: '0', refunded: '0' }

const add = (one: string, other: string): string => String(BigInt(one) + BigInt(other))

/** The sums of the parts of a range. */
export const addTotals = (parts: readonly Totals[]): Totals =>
  parts.reduce(
    (sum, part) => ({
      orders: sum.orders + part.orders,
      gross: add(sum.gross, part.gross),
      tax: add(sum.tax, part.tax),
      shipping: add(sum.shipping, part.shipping),
      net: add(sum.net, part.net),
      refunded: add(sum.refunded, part.refunded),
    }),
    noTotals,
  )
