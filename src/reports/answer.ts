import type { Db } from '../database/query.ts'
import type { Trace } from './messages.ts'
import { fillPeriods } from './periods.ts'
import type { Range } from './range.ts'
import { createTracer, readRows } from './trace.ts'

type Statements = readonly { sql: string; params: object }[]

/**
 * Runs the statements of a report over a range, all on one state of the file.
 * @param traces is given what each did, if that is wanted
 * @param stopped is asked between statements; once true, the others are not run
 */
export const runStatements = (
  db: Db,
  statements: Statements,
  range: Range | null,
  traces?: Trace[],
  stopped: () => boolean = () => false,
): unknown[][] =>
  db.transaction(() => {
    if (range !== null) fillPeriods(db, range)
    return readRows(db, statements, createTracer(traces, stopped))
  })()
