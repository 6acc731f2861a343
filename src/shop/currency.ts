import * as v from 'valibot'
import { get, query, run, type Db } from '../database/query.ts'
import adopt from '../sql/shop-info.currency.adopt.sql'
import find from '../sql/shop-info.currency.find.sql'

const findQuery = query(find, v.object({}), v.object({ currency: v.nullable(v.string()) }))
const adoptQuery = query(adopt, v.object({ currency: v.string() }), v.object({}))

/** The shop's own currency; null while it is unknown. */
export const findCurrency = (db: Db): string | null => get(db, findQuery, {})?.currency ?? null

/** What another file knows of the shop, until the shop tells this one. */
export const adoptCurrency = (db: Db, currency: string): void => {
  run(db, adoptQuery, { currency })
}
