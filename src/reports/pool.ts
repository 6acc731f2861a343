import type * as v from 'valibot'
import { asError } from '../lib/errors.ts'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../runtime/assets.ts'
import type { Query, Shape } from '../database/query.ts'
import { clientGone } from '../http/errors.ts'
import { stoppedAt, type Ask, type Part, type Reply, type Trace } from './messages.ts'
import type { Range } from './range.ts'
import { RawRowsGone } from './segment.ts'

/** A query with its values, to be run by a reader. */
export type Bound<R extends Shape = Shape> = { sql: string; params: object; row?: R }

export const bind = <P extends Shape, R extends Shape>(
  { sql, row }: Query<P, R>,
  params: v.InferInput<P>,
): Bound<R> => ({ sql, params, row })

type Rows<B> = B extends Bound<infer R> ? v.InferOutput<R>[] : never

/** The range that statements find in temp.period, the part of the visits, what keeps account, and what tells that nobody waits any more. */
export type ReadOptions = {
  range?: Range | null
  part?: Part | undefined
  traces?: Trace[] | undefined
  signal?: AbortSignal | undefined
}

/** @throws RawRowsGone for a part of the visits on days that have lost their raw rows */
export type Read = <const B extends readonly Bound[]>(
  statements: B,
  options?: ReadOptions,
) => Promise<{ [K in keyof B]: Rows<B[K]> }>

/** Readers of one file. They start with the first report, because an idle service should stay small. */
export type Pool = { read: Read; close: () => Promise<void> }

const size = 2

type Found = { rows: unknown[][]; traces: Trace[] }
type Job = { ask: Ask; resolve: (found: Found) => void; reject: (error: Error) => void }
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
    worker.on('message', (reply: Reply) =>
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
      const reader = readers.find(one => one.job === null) ?? (readers.length < size ? start() : null)
      const job = reader === null ? undefined : waiting.shift()
      if (reader === null || job === undefined) return
      reader.job = job
      reader.worker.postMessage(job.ask)
    }
  }

  /** A report that waits is dropped; one under way ends before its next statement. */
  const abandon = (job: Job): void => {
    const index = waiting.indexOf(job)
    if (index >= 0) waiting.splice(index, 1)
    const reader = readers.find(one => one.job === job)
    if (reader !== undefined) Atomics.store(reader.stops, stoppedAt, job.ask.id)
    job.reject(clientGone())
  }

  const ask = (statements: readonly Bound[], { range = null, part, traces, signal }: ReadOptions): Promise<Found> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(clientGone())
      const plain = statements.map(({ sql, params }) => ({ sql, params }))
      const job: Job = {
        ask: {
          id: nextId++,
          statements: plain,
          range,
          explain: traces !== undefined,
          ...(part !== undefined && { part }),
        },
        resolve,
        reject,
      }
      signal?.addEventListener('abort', () => abandon(job), { once: true })
      waiting.push(job)
      assign()
    })

  return {
    read: async (statements, options = {}) => {
      const { rows, traces } = await ask(statements, options)
      options.traces?.push(...traces)
      // A test holds the rows of every query against its schema, so they need no check here.
      return rows as never
    },
    close: async () => {
      closed = true
      await Promise.all(readers.map(({ worker }) => worker.terminate()))
    },
  }
}
