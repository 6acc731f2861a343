// A worker thread that reads: its own read-only connections, so that a long report never holds up a hit.
import { parentPort, workerData } from 'node:worker_threads'
import { errorText } from '../lib/errors.ts'
import { codeOf } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { lowerThreadPriority } from '../runtime/priority.ts'
import { runStatements } from './answer.ts'
import { stoppedAt, type Ask, type Reply, type Trace } from './messages.ts'
import { openForReports } from './periods.ts'
import { createSegmentReader } from './segment-reader.ts'
import { RawRowsGone } from './segment.ts'

lowerThreadPriority('reading')
const stops = new Int32Array(workerData.stops)

let db: Db | null = null
const connection = (): Db => (db ??= openForReports(workerData.path))
const readSegment = createSegmentReader(workerData.path)

const answer = ({ id, statements, range, explain, part }: Ask): Reply => {
  const traces: Trace[] = []
  const wanted = explain ? traces : undefined
  const stopped = (): boolean => Atomics.load(stops, stoppedAt) === id
  const rows =
    part === undefined || range === null
      ? runStatements(connection(), statements, range, wanted, stopped)
      : readSegment(statements, range, part, wanted, stopped)
  return { id, rows, traces }
}

parentPort?.on('message', (ask: Ask) => {
  try {
    parentPort?.postMessage(answer(ask))
  } catch (error) {
    if (error instanceof RawRowsGone) parentPort?.postMessage({ id: ask.id, rawFrom: error.first })
    else
      parentPort?.postMessage({
        id: ask.id,
        error: errorText(error),
        code: codeOf(error) || null,
      })
  }
})
