import * as v from 'valibot'
import { all, query, run, type Db } from '../database/query.ts'
import listProducts from '../sql/archive.product.list.sql'
import saveProduct from '../sql/shop-product.save.sql'
import type { Line } from './order.ts'

const row = v.object({
  product_id: v.number(),
  variation_id: v.number(),
  name: v.string(),
  named_at: v.number(),
  order_id: v.number(),
})
const saveQuery = query(saveProduct, row, v.object({}))
const listQuery = query(listProducts, v.object({}), row)

/** How an order called a product, or a variation of it (0: the product itself), and when, in seconds. */
export type ProductName = v.InferOutput<typeof row>

type Named = Pick<ProductName, 'product_id' | 'variation_id' | 'name'>

/** Each product and variation with the first name it has in the order. */
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

/** Keeps those that are newer than the ones there; gives how many names are other ones than before. */
export const saveNames = (db: Db, names: readonly ProductName[]): number =>
  names.reduce((renamed, name) => renamed + run(db, saveQuery, name), 0)

/** All of them, in the order of the products. */
export const listNames = (db: Db): ProductName[] => all(db, listQuery, {})
