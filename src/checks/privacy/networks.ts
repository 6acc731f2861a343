// Whether the file says of any visit in which network its address was.
import * as v from 'valibot'
import { bitsOf, boughtBit, logBit, suspicionRuleCodes } from '../../bots/rules.ts'
import { type Db, get, query } from '../../database/query.ts'
import { ownParts, schema, versionOf } from '../../database/schema.ts'
import { statements } from '../../database/statements.ts'
import sqlText from '../../sql/privacy-networks.sql'
import { columnsOf } from './scan.ts'

const sql = statements(sqlText)

const count = v.number()
const networksQuery = query(
  sql('privacy.networks'),
  v.object({ bits: count }),
  v.object({ visits: count, places: count, sums: count }),
)

/**
 * `columns` of visits that are not of our schema; `visits` whose evidence is more than the bits of rules; `places` and
 * `sums` that name a network.
 */
export type Networks = { columns: string[]; visits: number; places: number; sums: number }

const bits = bitsOf(suspicionRuleCodes) | boughtBit | logBit

/** What a table has if its rows are of visits. */
const visitKeys = ['session_id', 'visitor_id']

const foreignColumns = (db: Db): string[] => {
  const own = new Map(
    ownParts(schema, versionOf(db))
      .filter(({ type }) => type === 'table')
      .map(({ name, sql }) => [name, sql.replace(/--.*$/gm, '')]),
  )
  return [...Map.groupBy(columnsOf(db), ({ table }) => table)]
    .filter(([table, columns]) => own.has(table) || columns.some(({ column }) => visitKeys.includes(column)))
    .flatMap(([table, columns]) => {
      const words = new Set(own.get(table)?.match(/\w+/g))
      return columns.filter(({ column }) => !words.has(column)).map(({ column }) => `${table}.${column}`)
    })
}

export const networksIn = (db: Db): Networks => ({
  columns: foreignColumns(db),
  ...(get(db, networksQuery, { bits }) ?? { visits: 0, places: 0, sums: 0 }),
})
