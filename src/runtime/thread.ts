import type { Worker } from 'node:worker_threads'
import { startWorker } from './assets.ts'

/** An order to a thread bears the number by which its report is known. */
export type Numbered = { id: number }
/** What came of it, or what went wrong. */
export type Outcome = Numbered & ({ result: unknown } | { error: string })

type Waiting = { resolve: (result: unknown) => void; reject: (error: unknown) => void }

/** A thread that starts with its first order, and ends where it had none for a while: an idle service stays small. */
export type Thread = {
  /** Rejects with what the thread says went wrong, or with what ended it. */
  order: (given: object) => Promise<unknown>
  isRunning: () => boolean
  /** What is under way fails. */
  close: () => Promise<void>
}

/** @param rest milliseconds without an order after which the thread ends */
export const createThread = (script: string, workerData: object, rest: number): Thread => {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let nextId = 1

  const leave = (): void => {
    const idle = worker
    worker = null
    void idle?.terminate()
  }
  const leaving = setTimeout(() => {
    if (waiting.size === 0) leave()
  }, rest).unref()

  const settle = (id: number, work: (waiting: Waiting) => void): void => {
    const found = waiting.get(id)
    waiting.delete(id)
    leaving.refresh()
    if (found !== undefined) work(found)
  }

  const failAll = (error: unknown): void => {
    worker = null
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(error))
  }

  const start = (): Worker => {
    const made = startWorker(script, { workerData })
    made.on('message', (report: Outcome) =>
      settle(report.id, ({ resolve, reject }) => {
        if ('error' in report) reject(new Error(report.error))
        else resolve(report.result)
      }),
    )
    made.on('error', failAll)
    made.on('exit', code => {
      if (worker === made) failAll(new Error(`the thread of ${script} ended with ${code}`))
    })
    return made
  }

  return {
    order: given =>
      new Promise((resolve, reject) => {
        const id = nextId++
        waiting.set(id, { resolve, reject })
        worker ??= start()
        worker.postMessage({ ...given, id })
      }),
    isRunning: () => worker !== null,
    close: async () => {
      const last = worker
      failAll(new Error('The service is stopping.'))
      clearTimeout(leaving)
      await last?.terminate()
    },
  }
}
