import type { Worker } from 'node:worker_threads'
import { startWorker } from '../assets.ts'
import type { Day } from '../time.ts'
import type { Order, Report } from './orders.ts'

/** A hit shows in every report within two seconds of its commit: this pause, and the time that a day takes. */
const pause = 400
/** After a failure: often enough for the reports, seldom enough for the log. */
const again = 2000

/** Keeps the rollups close behind the raw rows: one rebuild for all commits of a short while, in a thread of its own. */
export type Refresher = {
  schedule: () => void
  /** Purges the raw rows of the days before one, in small bites. */
  purge: (before: Day) => void
  stop: () => Promise<void>
}

type Options = { path: string, timezone: string, failed: (error: unknown) => void, purged: (rows: number) => void }

export const createRefresher = ({ path, timezone, failed, purged }: Options): Refresher => {
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | null = null
  let busy = false
  let wanted = false
  let stopped = false

  const start = (): Worker => {
    const made = startWorker('rollup.cjs', { workerData: { path, timezone } })
    made.on('message', (report: Report) => {
      const wrong = 'error' in report
      if (wrong) failed(new Error(report.error))
      else if (report.kind === 'purge') purged(report.count)
      // The days are still marked: what kept them from being derived may be over by then.
      if (wrong && report.kind === 'refresh') wanted = true
      // A long day must not keep a core busy all the time.
      if (report.kind === 'refresh') finish(wrong ? again : Math.max(pause, report.milliseconds))
    })
    made.on('error', error => {
      failed(error)
      worker = null
      wanted = true
      finish(again)
    })
    return made
  }

  const order = (given: Order): void => {
    worker ??= start()
    worker.postMessage(given)
  }

  const refresh = (): void => {
    timer = null
    wanted = false
    busy = true
    order({ kind: 'refresh' })
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
    purge: before => order({ kind: 'purge', before }),
    stop: async () => {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      await worker?.terminate()
    },
  }
}
