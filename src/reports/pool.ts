import type { Worker } from 'node:worker_threads'
import type * as v from 'valibot'
import type { Query, Shape } from '../database/query.ts'
import type { Trace } from '../database/trace.ts'
import { clientGone } from '../http/errors.ts'
import { asError } from '../lib/errors.ts'
import { startWorker } from '../runtime/assets.ts'
import {
  type Counted,
  type ReadReply,
  type ReadRequest,
  type ReportStatement,
  type SegmentRequest,
  stoppedAt,
} from './messages.ts'
import type { Range } from './range.ts'
import { RawRowsGone } from './segment.ts'

/** A query with its parameters, to be run by a reader. */
export type BoundQuery<R extends Shape = Shape> = ReportStatement & { row?: R }

export const bindParameters = <P extends Shape, R extends Shape>(
  { sql, row, reads }: Query<P, R>,
  params: v.InferInput<P>,
): BoundQuery<R> => ({ sql, params, reads, row })

type Rows<B> = B extends BoundQuery<infer R> ? v.InferOutput<R>[] : never

export type ReadOptions = {
  /** The range whose periods statements find in temp.period. */
  range?: Range | null
  segment?: SegmentRequest | undefined
  /** Filled with what each statement did. */
  traces?: Trace[] | undefined
  /** Filled with what was counted, if the segment asks for it. */
  counted?: Counted[] | undefined
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined
}

/** @throws RawRowsGone for a segment on days whose raw rows were purged */
export type Read = <const B extends readonly BoundQuery[]>(
  statements: B,
  options?: ReadOptions,
) => Promise<{ [K in keyof B]: Rows<B[K]> }>

/** Reader threads of one database. They start with the first report, to keep an idle service small. */
export type Pool = { read: Read; close: () => Promise<void> }

const maxReaders = 2

type ReadResult = { rows: unknown[][]; traces: Trace[]; counted?: Counted }
type Job = { request: ReadRequest; resolve: (result: ReadResult) => void; reject: (error: Error) => void }
type Reader = { worker: Worker; job: Job | null; stops: Int32Array }

export const createPool = (path: string): Pool => {
  const readers: Reader[] = []
  const waiting: Job[] = []
  let nextId = 1
  let closed = false

  const settle = (reader: Reader, work: (job: Job) => void): void => {
    const { job } = reader
    reader.job = null
    if (job !== null) work(job)
    assign()
  }

  const start = (): Reader => {
    const stops = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const worker = startWorker('reader.cjs', { workerData: { path, stops: stops.buffer } })
    const reader: Reader = { worker, job: null, stops }
    worker.on('message', (reply: ReadReply) =>
      settle(reader, job => {
        if ('error' in reply)
          job.reject(Object.assign(new Error(reply.error), reply.code === null ? {} : { code: reply.code }))
        else if ('rawFrom' in reply) job.reject(new RawRowsGone(reply.rawFrom))
        else job.resolve(reply)
      }),
    )
    worker.on('error', error => {
      readers.splice(readers.indexOf(reader), 1)
      settle(reader, job => job.reject(asError(error)))
    })
    readers.push(reader)
    return reader
  }

  const assign = (): void => {
    while (waiting.length > 0 && !closed) {
      const reader = readers.find(reader => reader.job === null) ?? (readers.length < maxReaders ? start() : null)
      const job = reader === null ? undefined : waiting.shift()
      if (reader === null || job === undefined) return
      reader.job = job
      reader.worker.postMessage(job.request)
    }
  }

  /** Drops a queued report; a running one is aborted before its next statement. */
  const cancel = (job: Job): void => {
    const index = waiting.indexOf(job)
    if (index >= 0) waiting.splice(index, 1)
    const reader = readers.find(reader => reader.job === job)
    if (reader !== undefined) Atomics.store(reader.stops, stoppedAt, job.request.id)
    job.reject(clientGone())
  }

  const enqueue = (
    statements: readonly BoundQuery[],
    { range = null, segment, traces, signal }: ReadOptions,
  ): Promise<ReadResult> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(clientGone())
      const plain = statements.map(({ sql, params, reads }) => ({ sql, params, reads }))
      const job: Job = {
        request: {
          id: nextId++,
          statements: plain,
          range,
          explain: traces !== undefined,
          ...(segment !== undefined && { segment }),
        },
        resolve,
        reject,
      }
      signal?.addEventListener('abort', () => cancel(job), { once: true })
      waiting.push(job)
      assign()
    })

  return {
    read: async (statements, options = {}) => {
      const { rows, traces, counted } = await enqueue(statements, options)
      options.traces?.push(...traces)
      if (counted !== undefined) options.counted?.push(counted)
      // A test compares the columns of every query with its schema, so rows are not checked here.
      return rows as never
    },
    close: async () => {
      closed = true
      await Promise.all(readers.map(({ worker }) => worker.terminate()))
    },
  }
}
