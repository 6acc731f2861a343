import { prepare, type Db } from '../database/query.ts'
import type { Trace } from './messages.ts'

type Statement = { sql: string; params: object }

/** Does the work of one statement, which gives the number of its rows. Of one that `repeats` the sums are noted. */
export type Tracer = (db: Db, statement: Statement, work: () => number, repeats?: boolean) => void

const planOf = (db: Db, { sql, params }: Statement): string[] =>
  db
    .prepare(`explain query plan ${sql}`)
    .all(params)
    .flatMap(row => (typeof row === 'object' && row !== null && 'detail' in row ? [String(row.detail)] : []))

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100

/**
 * Accompanies the statements of a report.
 * @param traces is given what each did, if that is wanted
 * @param stopped is asked before each; once true, it and the others are not run
 */
export const createTracer =
  (traces: Trace[] | undefined, stopped: () => boolean): Tracer =>
  (db, statement, work, repeats = false) => {
    if (stopped()) throw new Error('The report is not wanted any more.')
    const started = performance.now()
    const rows = work()
    const milliseconds = performance.now() - started
    const known = repeats ? traces?.find(({ sql }) => sql === statement.sql) : undefined
    if (known === undefined) {
      traces?.push({
        sql: statement.sql,
        params: statement.params,
        plan: planOf(db, statement),
        rows,
        milliseconds: rounded(milliseconds),
      })
      return
    }
    known.rows += rows
    known.milliseconds = rounded(known.milliseconds + milliseconds)
    known.runs = (known.runs ?? 1) + 1
  }

/** The rows of each statement. */
export const readRows = (db: Db, statements: readonly Statement[], trace: Tracer): unknown[][] =>
  statements.map(statement => {
    let found: unknown[] = []
    trace(db, statement, () => {
      found = prepare(db, statement.sql).all(statement.params)
      return found.length
    })
    return found
  })
