// A worker thread that reads: its own read-only connection, so that a long report never holds up a hit.
import { parentPort, workerData } from 'node:worker_threads'
import type { Db } from '../database/query.ts'
import { runStatements } from './answer.ts'
import { stoppedAt, type Ask, type Reply, type Trace } from './messages.ts'
import { openForReports } from './periods.ts'

const stops = new Int32Array(workerData.stops)

let db: Db | null = null
const connection = (): Db => db ??= openForReports(workerData.path)

const answer = ({ id, statements, range, explain }: Ask): Reply => {
  const traces: Trace[] = []
  const rows = runStatements(connection(), statements, range, explain ? traces : undefined, () => Atomics.load(stops, stoppedAt) === id)
  return { id, rows, traces }
}

parentPort?.on('message', (ask: Ask) => {
  try {
    parentPort?.postMessage(answer(ask))
  } catch (error) {
    parentPort?.postMessage({ id: ask.id, error: error instanceof Error ? error.message : String(error) })
  }
})
