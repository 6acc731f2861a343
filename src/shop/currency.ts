import * as v from 'valibot'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/currency.sql'

const sql = statements(sqlText)

const findQuery = query(sql('shop-info.currency.find'), none, v.object({ currency: v.nullable(v.string()) }))
const adoptQuery = query(sql('shop-info.currency.adopt'), v.object({ currency: v.string() }))

/** The shop's currency; null while unknown. */
export const findCurrency = (db: Db): string | null => get(db, findQuery, {})?.currency ?? null

/** Sets the shop's currency from another file, if it is still unknown. */
export const adoptCurrency = (db: Db, currency: string): void => {
  run(db, adoptQuery, { currency })
}
