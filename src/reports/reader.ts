// A worker thread that reads: its own read-only connection, so that a long report never holds up a hit.
import { parentPort, workerData } from 'node:worker_threads'
import { prepare, type Db } from '../database/query.ts'
import type { Ask, Reply, Trace } from './messages.ts'
import { fillPeriods, openForReports } from './periods.ts'

let db: Db | null = null
const connection = (): Db => db ??= openForReports(workerData.path)

const plan = (sql: string, params: object): string[] =>
  connection().prepare(`explain query plan ${sql}`).all(params)
    .flatMap(row => typeof row === 'object' && row !== null && 'detail' in row ? [String(row.detail)] : [])

/** All statements of a report see one state of the file. */
const answer = ({ id, statements, range, explain }: Ask): Reply => {
  const traces: Trace[] = []
  const rows = connection().transaction(() => {
    if (range !== null) fillPeriods(connection(), range)
    return statements.map(({ sql, params }) => {
      const started = performance.now()
      const found = prepare(connection(), sql).all(params)
      const milliseconds = Math.round((performance.now() - started) * 100) / 100
      if (explain) traces.push({ sql, params, plan: plan(sql, params), rows: found.length, milliseconds })
      return found
    })
  })()
  return { id, rows, traces }
}

parentPort?.on('message', (ask: Ask) => {
  try {
    parentPort?.postMessage(answer(ask))
  } catch (error) {
    parentPort?.postMessage({ id: ask.id, error: error instanceof Error ? error.message : String(error) })
  }
})
