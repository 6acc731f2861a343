import * as v from 'valibot'
import { all, type Db, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/shop-product.sql'
import type { Line } from './order.ts'

const sql = statements(sqlText)

const row = v.object({
  product_id: v.number(),
  variation_id: v.number(),
  name: v.string(),
  named_at: v.number(),
  order_id: v.number(),
})
const saveQuery = query(sql('save'), row)
const listQuery = query(sql('archive.product.list'), none, row)

/**
 * The name of a product or of one of its variations (0: the product itself), from the order `order_id`;
 * `named_at` in seconds since 1970.
 */
export type ProductName = v.InferOutput<typeof row>

type Named = Pick<ProductName, 'product_id' | 'variation_id' | 'name'>

/** The products and variations of an order, each with its first name there. */
export const namesOf = (lines: readonly Line[]): Named[] => {
  const all = lines.flatMap(({ product, variation, name, parent }): Named[] =>
    variation === 0
      ? [{ product_id: product, variation_id: 0, name }]
      : [
          { product_id: product, variation_id: 0, name: parent === '' ? name : parent },
          { product_id: product, variation_id: variation, name },
        ],
  )
  const first = new Map([...all].reverse().map(named => [`${named.product_id} ${named.variation_id}`, named]))
  return [...first.values()].filter(({ name }) => name !== '')
}

/** Saves names that are newer than the stored ones; returns how many changed. */
export const saveNames = (db: Db, names: readonly ProductName[]): number =>
  names.reduce((renamed, name) => renamed + run(db, saveQuery, name), 0)

/** All names, sorted by product. */
export const listNames = (db: Db): ProductName[] => all(db, listQuery, {})
