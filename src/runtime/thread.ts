import type { Worker } from 'node:worker_threads'
import { startWorker } from './assets.ts'

/** A thread's reply to the message with the same id: the result, or what went wrong. */
export type Outcome = { id: number } & ({ result: unknown } | { error: string })

type Waiting = { resolve: (result: unknown) => void; reject: (error: unknown) => void }

/** A thread that starts with its first message, and ends after some time without any: an idle service stays small. */
export type Thread = {
  /** Sends a message; rejects with the thread's error, or with what ended the thread. */
  request: (message: object) => Promise<unknown>
  isRunning: () => boolean
  /** Pending requests fail. */
  close: () => Promise<void>
}

/** @param idleTimeout milliseconds without a message after which the thread ends */
export const createThread = (script: string, workerData: object, idleTimeout: number): Thread => {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let nextId = 1

  const idleTimer = setTimeout(() => {
    if (waiting.size > 0) return
    const idle = worker
    worker = null
    void idle?.terminate()
  }, idleTimeout).unref()

  const settle = (id: number, finish: (waiting: Waiting) => void): void => {
    const found = waiting.get(id)
    waiting.delete(id)
    idleTimer.refresh()
    if (found !== undefined) finish(found)
  }

  const failAll = (error: unknown): void => {
    worker = null
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(error))
  }

  const start = (): Worker => {
    const made = startWorker(script, { workerData })
    made.on('message', (outcome: Outcome) =>
      settle(outcome.id, ({ resolve, reject }) => {
        if ('error' in outcome) reject(new Error(outcome.error))
        else resolve(outcome.result)
      }),
    )
    made.on('error', failAll)
    made.on('exit', code => {
      if (worker === made) failAll(new Error(`the thread of ${script} ended with ${code}`))
    })
    return made
  }

  return {
    request: message =>
      new Promise((resolve, reject) => {
        const id = nextId++
        waiting.set(id, { resolve, reject })
        worker ??= start()
        worker.postMessage({ ...message, id })
      }),
    isRunning: () => worker !== null,
    close: async () => {
      const last = worker
      failAll(new Error('The service is stopping.'))
      clearTimeout(idleTimer)
      await last?.terminate()
    },
  }
}
