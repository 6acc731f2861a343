import * as v from 'valibot'
import { query } from '../database/query.ts'
import revenueTotals from '../sql/revenue.totals.sql'
import { bindParameters } from './pool.ts'
import { sumColumn, within, type Within } from './revenue.ts'

const totalsQuery = query(
  revenueTotals,
  v.object(within),
  v.object({
    orders: v.number(),
    gross: sumColumn,
    tax: sumColumn,
    shipping: sumColumn,
    net: sumColumn,
    refunded: sumColumn,
  }),
)

export type Totals = v.InferOutput<typeof totalsQuery.row>

/** Sums over all counted orders of a range. */
export const bindRevenueTotals = (given: Within) => bindParameters(totalsQuery, given)

export const noTotals: Totals = { orders: 0, gross: '0', tax: '0', shipping: '0', net: '0', refunded: '0' }
