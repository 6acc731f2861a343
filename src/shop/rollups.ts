import * as v from 'valibot'
import type { Dictionary } from '../collection/store/intern.ts'
import { type Db, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Period, periodsAround } from '../lib/period.ts'
import sqlText from '../sql/revenue-period.sql'
import { columns, type Effect } from './effects.ts'

const sql = statements(sqlText)

const keyColumns = { kind: v.string(), currency: v.string(), period: v.number(), key: v.number(), part: v.number() }
const sum = v.bigint()
const addQuery = query(
  sql('add'),
  v.object({
    ...keyColumns,
    orders: sum,
    gross: sum,
    tax: sum,
    shipping: sum,
    net: sum,
    refunded: sum,
    discount: sum,
    units: sum,
    refunded_units: sum,
  }),
)
const removeQuery = query(sql('remove-empty'), v.object(keyColumns))

type Values = Record<(typeof columns)[number], bigint>
type Row = {
  kind: string
  currency: string
  period: number
  key: number
  part: number
  values: Values
  shrinks: boolean
}

const zeroes: Readonly<Values> = {
  orders: 0n,
  gross: 0n,
  tax: 0n,
  shipping: 0n,
  net: 0n,
  refunded: 0n,
  discount: 0n,
  units: 0n,
  refunded_units: 0n,
}

/** Some kinds are only counted for all time (period 0), those by hour only of days. */
const periodsOf = ({ kind, day }: Effect): Period[] =>
  kind === 'currency' || kind === 'stored' ? [0] : kind === 'hour' || kind === 'refund' ? [day] : periodsAround(day)

/** Collects changes to the revenue rollups in memory and writes their sums. */
export type Rollups = {
  add: (effects: readonly Effect[], currency: string) => void
  remove: (effects: readonly Effect[], currency: string) => void
  /** Must run within the transaction that writes the orders. */
  write: () => void
  clear: () => void
}

export const createRollups = (db: Db, labels: Dictionary<{ text: string }>): Rollups => {
  const rows = new Map<string, Row>()

  const rowOf = ({ kind, key: idOrText, part }: Effect, currency: string, period: number): Row => {
    const key = typeof idOrText === 'number' ? idOrText : labels.idOf({ text: idOrText })
    const rowKey = `${kind} ${currency} ${period} ${key} ${part}`
    const row = rows.get(rowKey) ?? { kind, currency, period, key, part, values: { ...zeroes }, shrinks: false }
    rows.set(rowKey, row)
    return row
  }

  const change = (effects: readonly Effect[], currency: string, sign: 1n | -1n): void => {
    for (const effect of effects) {
      for (const period of periodsOf(effect)) {
        const row = rowOf(effect, currency, period)
        for (const column of columns) row.values[column] += sign * (effect.sums[column] ?? 0n)
        if (sign < 0n) row.shrinks = true
      }
    }
  }

  return {
    add: (effects, currency) => change(effects, currency, 1n),
    remove: (effects, currency) => change(effects, currency, -1n),
    write: () => {
      for (const { values, shrinks, ...rowKey } of rows.values()) {
        if (columns.every(column => values[column] === 0n)) continue
        run(db, addQuery, { ...rowKey, ...values })
        if (shrinks) run(db, removeQuery, rowKey)
      }
      rows.clear()
    },
    clear: () => rows.clear(),
  }
}
