import type { Worker } from 'node:worker_threads'
import { startWorker } from '../assets.ts'

/** A hit shows in every report within two seconds of its commit: this pause, and the time that a day takes. */
const pause = 400

type Done = { milliseconds: number, error?: string }

/** Keeps the rollups close behind the raw rows: one rebuild for all commits of a short while, in a thread of its own. */
export type Refresher = { schedule: () => void, stop: () => Promise<void> }

export const createRefresher = (path: string, timezone: string, failed: (error: unknown) => void): Refresher => {
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | null = null
  let busy = false
  let wanted = false
  let stopped = false

  const start = (): Worker => {
    const made = startWorker('rollup.cjs', { workerData: { path, timezone } })
    made.on('message', ({ milliseconds, error }: Done) => {
      if (error !== undefined) failed(new Error(error))
      // A long day must not keep a core busy all the time.
      finish(Math.max(pause, milliseconds))
    })
    made.on('error', error => {
      failed(error)
      worker = null
      finish(pause)
    })
    return made
  }

  const refresh = (): void => {
    timer = null
    wanted = false
    busy = true
    worker ??= start()
    worker.postMessage('refresh')
  }

  const wait = (milliseconds: number): void => {
    if (!stopped) timer ??= setTimeout(refresh, milliseconds)
  }

  const finish = (milliseconds: number): void => {
    busy = false
    if (wanted) wait(milliseconds)
  }

  return {
    schedule: () => {
      wanted = true
      if (!busy) wait(pause)
    },
    stop: async () => {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      await worker?.terminate()
    },
  }
}
