// What statements did, for `explain=1`.
import { all, type Db, type List, prepare, type Query } from './query.ts'

/**
 * An executed statement, for `explain=1`. If it ran once per day, it has the parameters of the first run and the sums
 * of all runs.
 */
export type Trace = { sql: string; params: object; plan: string[]; rows: number; milliseconds: number; runs?: number }

type Statement = { sql: string; params: object }

/**
 * Runs one statement; `work` returns the number of its rows. If it `repeats`, the trace has the sums of all runs.
 */
export type Tracer = (db: Db, statement: Statement, work: () => number, repeats?: boolean) => void

/** Runs a statement without rows, and traces it. */
export type Run = (statement: Query, params: object) => void

const planOf = (db: Db, { sql, params }: Statement): string[] =>
  db
    .prepare(`explain query plan ${sql}`)
    .all(params)
    .flatMap(row => (typeof row === 'object' && row !== null && 'detail' in row ? [String(row.detail)] : []))

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100

/**
 * Traces the statements of a report.
 * @param traces filled with what each statement did
 * @param isStopped called before each statement; if it returns true, the report is aborted with an error
 */
export const createTracer =
  (traces: Trace[] | undefined, isStopped: () => boolean): Tracer =>
  (db, statement, work, repeats = false) => {
    if (isStopped()) throw new Error('The report was abandoned.')
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
    let rows: unknown[] = []
    trace(db, statement, () => {
      rows = prepare(db, statement.sql).all(statement.params)
      return rows.length
    })
    return rows
  })

/** Lists the rows of a connection; the trace of a statement has the sums of all its runs. */
export const tracedList =
  (db: Db, trace: Tracer): List =>
  (query, params) => {
    let rows: ReturnType<typeof all<typeof query.params, typeof query.row>> = []
    trace(
      db,
      { sql: query.sql, params },
      () => {
        rows = all(db, query, params)
        return rows.length
      },
      true,
    )
    return rows
  }
