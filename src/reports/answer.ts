import { prepare, type Db } from '../database/query.ts'
import type { Trace } from './messages.ts'
import { fillPeriods } from './periods.ts'
import type { Range } from './range.ts'

type Statements = readonly { sql: string, params: object }[]

const plan = (db: Db, sql: string, params: object): string[] =>
  db.prepare(`explain query plan ${sql}`).all(params)
    .flatMap(row => typeof row === 'object' && row !== null && 'detail' in row ? [String(row.detail)] : [])

/**
 * Runs the statements of a report over a range, all on one state of the file.
 * @param traces is given what each did, if that is wanted
 * @param stopped is asked between statements; once true, the others are not run
 */
export const runStatements = (db: Db, statements: Statements, range: Range | null, traces?: Trace[], stopped: () => boolean = () => false): unknown[][] =>
  db.transaction(() => {
    if (range !== null) fillPeriods(db, range)
    return statements.map(({ sql, params }) => {
      if (stopped()) throw new Error('The report is not wanted any more.')
      const started = performance.now()
      const found = prepare(db, sql).all(params)
      const milliseconds = Math.round((performance.now() - started) * 100) / 100
      traces?.push({ sql, params, plan: plan(db, sql, params), rows: found.length, milliseconds })
      return found
    })
  })()
