import type * as v from 'valibot'
import { prepare, valuesOf, type Db, type Query, type Shape } from './query.ts'

/** Rows of one table that are inserted together. */
export type Rows<P extends Shape> = {
  add: (row: v.InferInput<P>) => void
  /** Inserts the rows added so far; to be called before anything reads the table. */
  write: () => void
  /** Drops the rows added so far: their transaction was rolled back. */
  clear: () => void
}

/** One statement for many rows costs half as much as many statements. Any number of rows is a sum of these. */
const widths = [32, 16, 8, 4, 2, 1]

/** `insert into t (a, b) values (@a, @b)` for several rows, with unnamed parameters; null if it has another form. */
const widen = (sql: string): { ofWidth: (width: number) => string; names: string[] } | null => {
  const [, head = '', list] = sql.match(/^(insert into [^;]*?\bvalues )\(([^()]*)\)\s*$/s) ?? []
  const names = list?.split(',').map(name => name.trim().replace(/^@/, ''))
  if (names === undefined) return null
  const values = `(${names.map(() => '?').join()})`
  return { ofWidth: width => head + Array.from({ length: width }, () => values).join(), names }
}

/** @param query an insert of one row, all of whose values are parameters */
export const createRows = <P extends Shape>(db: Db, query: Query<P>): Rows<P> => {
  const wide = widen(query.sql)
  if (wide === null) throw new Error(`not an insert of one row: ${query.sql}`)
  const statements = widths.map(width => ({ width, sql: wide.ofWidth(width) }))
  let pending: v.InferInput<P>[] = []

  const writeTogether = (sql: string, rows: readonly v.InferInput<P>[]): void => {
    prepare(db, sql).run(...rows.flatMap(row => valuesOf(wide.names, row)))
  }

  return {
    add: row => {
      pending.push(row)
    },
    write: () => {
      const rows = pending
      pending = []
      let written = 0
      for (const { width, sql } of statements) {
        for (; rows.length - written >= width; written += width)
          writeTogether(sql, rows.slice(written, written + width))
      }
    },
    clear: () => {
      pending = []
    },
  }
}
