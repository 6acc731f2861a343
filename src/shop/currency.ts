import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import adopt from '../sql/shop-info.currency.adopt.sql'
import find from '../sql/shop-info.currency.find.sql'

const findQuery = query(find, v.object({}), v.object({ currency: v.nullable(v.string()) }))
const adoptQuery = query(adopt, v.object({ currency: v.string() }), v.object({}))

/** The shop's currency; null while unknown. */
export const findCurrency = (db: Db): string | null => get(db, findQuery, {})?.currency ?? null

/** Sets the shop's currency from another file, if it is still unknown. */
export const adoptCurrency = (db: Db, currency: string): void => {
  run(db, adoptQuery, { currency })
}
