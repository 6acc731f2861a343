import type * as v from 'valibot'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../assets.ts'
import type { Query, Shape } from '../database/query.ts'
import type { Ask, Reply, Trace } from './messages.ts'
import type { Range } from './range.ts'

/** A query with its values, to be run by a reader. */
export type Bound<R extends Shape = Shape> = { sql: string, params: object, row?: R }

export const bind = <P extends Shape, R extends Shape>({ sql, row }: Query<P, R>, params: v.InferInput<P>): Bound<R> => ({ sql, params, row })

type Rows<B> = B extends Bound<infer R> ? v.InferOutput<R>[] : never

export type Read = <const B extends readonly Bound[]>(statements: B, range?: Range | null, explain?: Trace[]) => Promise<{ [K in keyof B]: Rows<B[K]> }>

/** Readers of one file. They start with the first report, because an idle service should stay small. */
export type Pool = { read: Read, close: () => Promise<void> }

const size = 2

type Job = { ask: Ask, resolve: (reply: { rows: unknown[][], traces: Trace[] }) => void, reject: (error: Error) => void }
type Reader = { worker: Worker, job: Job | null }

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
    const worker = startWorker('reader.cjs', { workerData: { path } })
    const reader: Reader = { worker, job: null }
    worker.on('message', (reply: Reply) => settle(reader, job => {
      if ('error' in reply) job.reject(new Error(reply.error))
      else job.resolve(reply)
    }))
    worker.on('error', error => {
      readers.splice(readers.indexOf(reader), 1)
      settle(reader, job => job.reject(error instanceof Error ? error : new Error(String(error))))
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

  const ask = (statements: readonly Bound[], range: Range | null, explain: boolean): Promise<{ rows: unknown[][], traces: Trace[] }> =>
    new Promise((resolve, reject) => {
      const plain = statements.map(({ sql, params }) => ({ sql, params }))
      waiting.push({ ask: { id: nextId++, statements: plain, range, explain }, resolve, reject })
      assign()
    })

  return {
    read: async (statements, range = null, explain) => {
      const { rows, traces } = await ask(statements, range, explain !== undefined)
      explain?.push(...traces)
      // A test holds the rows of every query against its schema, so they need no check here.
      return rows as never
    },
    close: async () => {
      closed = true
      await Promise.all(readers.map(({ worker }) => worker.terminate()))
    },
  }
}
