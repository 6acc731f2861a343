import type { Db } from '../database/query.ts'
import { createTracer, readRows, type Trace } from '../database/trace.ts'
import { fillPeriods } from './periods.ts'
import type { Range } from './range.ts'

type Statements = readonly { sql: string; params: object }[]

/**
 * Runs the statements of a report over a range, in one read transaction.
 * @param traces filled with what each statement did
 * @param isStopped called before each statement; if it returns true, the report is aborted with an error
 */
export const runStatements = (
  db: Db,
  statements: Statements,
  range: Range | null,
  traces?: Trace[],
  isStopped: () => boolean = () => false,
): unknown[][] =>
  db.transaction(() => {
    if (range !== null) fillPeriods(db, range)
    return readRows(db, statements, createTracer(traces, isStopped))
  })()
