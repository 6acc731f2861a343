import type { Worker } from 'node:worker_threads'
import { startWorker } from './assets.ts'

/** A thread's reply to the message with the same id: a result or an error. */
export type Outcome = { id: number } & ({ result: unknown } | { error: string })

type PendingRequest = { resolve: (result: unknown) => void; reject: (error: unknown) => void }

/** A thread that starts with its first message and ends when idle, to save memory. */
export type Thread = {
  /** Sends a message; rejects with the error of the task or of the thread. */
  request: (message: object) => Promise<unknown>
  isRunning: () => boolean
  /** Pending and later requests fail. */
  close: () => Promise<void>
}

const stopping = (): Error => new Error('The service is stopping.')

/** @param idleTimeout milliseconds without a message after which the thread ends */
export const createThread = (script: string, workerData: object, idleTimeout: number): Thread => {
  const pending = new Map<number, PendingRequest>()
  let worker: Worker | null = null
  let nextId = 1
  let isClosed = false

  const idleTimer = setTimeout(() => {
    if (pending.size > 0) return
    const idle = worker
    worker = null
    void idle?.terminate()
  }, idleTimeout).unref()

  const settle = (id: number, finish: (request: PendingRequest) => void): void => {
    const request = pending.get(id)
    pending.delete(id)
    idleTimer.refresh()
    if (request !== undefined) finish(request)
  }

  const failAll = (error: unknown): void => {
    worker = null
    for (const id of [...pending.keys()]) settle(id, ({ reject }) => reject(error))
  }

  const start = (): Worker => {
    const thread = startWorker(script, { workerData })
    thread.on('message', (outcome: Outcome) =>
      settle(outcome.id, ({ resolve, reject }) => {
        if ('error' in outcome) reject(new Error(outcome.error))
        else resolve(outcome.result)
      }),
    )
    thread.on('error', failAll)
    thread.on('exit', code => {
      if (worker === thread) failAll(new Error(`the thread of ${script} ended with ${code}`))
    })
    return thread
  }

  return {
    request: message =>
      new Promise((resolve, reject) => {
        // A job that goes on for a moment after the stop would start a thread that nothing ends.
        if (isClosed) return reject(stopping())
        const id = nextId++
        pending.set(id, { resolve, reject })
        worker ??= start()
        worker.postMessage({ ...message, id })
      }),
    isRunning: () => worker !== null,
    close: async () => {
      isClosed = true
      const last = worker
      failAll(stopping())
      clearTimeout(idleTimer)
      await last?.terminate()
    },
  }
}
