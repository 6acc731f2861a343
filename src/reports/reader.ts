// A worker thread that runs reports on its own read-only connections, so that a long report never delays a hit.
import { parentPort, workerData } from 'node:worker_threads'
import { codeOf } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import type { Trace } from '../database/trace.ts'
import { errorText } from '../lib/errors.ts'
import { lowerThreadPriority } from '../runtime/priority.ts'
import { runStatements } from './answer.ts'
import { type Counted, type ReadReply, type ReadRequest, stoppedAt } from './messages.ts'
import { openForReports } from './periods.ts'
import { RawRowsGone } from './segment.ts'
import { createSegmentReader } from './segment-reader.ts'

lowerThreadPriority('reading')
const stops = new Int32Array(workerData.stops)

let db: Db | null = null
const connection = (): Db => (db ??= openForReports(workerData.path))
const readSegment = createSegmentReader(workerData.path)

const answer = ({ id, statements, range, explain, segment }: ReadRequest): ReadReply => {
  const traces: Trace[] = []
  const filled = explain ? traces : undefined
  const counted: Counted[] = []
  const isStopped = (): boolean => Atomics.load(stops, stoppedAt) === id
  const rows =
    segment === undefined || range === null
      ? runStatements(connection(), statements, range, filled, isStopped)
      : readSegment(statements, range, segment, { traces: filled, counted }, isStopped)
  const [count] = counted
  return { id, rows, traces, ...(count !== undefined && { counted: count }) }
}

parentPort?.on('message', (request: ReadRequest) => {
  try {
    parentPort?.postMessage(answer(request))
  } catch (error) {
    if (error instanceof RawRowsGone) parentPort?.postMessage({ id: request.id, rawFrom: error.first })
    else
      parentPort?.postMessage({
        id: request.id,
        error: errorText(error),
        code: codeOf(error) || null,
      })
  }
})
