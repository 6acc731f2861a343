import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../assets.ts'
import type { Day } from '../time.ts'
import { addChanges, noChanges, type Changes } from './changes.ts'
import type { Order, Report } from './orders.ts'

/** A hit shows in every report within two seconds of its commit: this pause, and the time that a day takes. */
const pause = 400
/** After a failure: often enough for the reports, seldom enough for the log. */
const again = 2000

/** How long a stop waits for the last refresh; what it does not take in is derived at the next start. */
const patience = 10_000

/** Keeps the rollups close behind the raw rows: one refresh for all commits of a short while, in a thread of its own. */
export type Refresher = {
  /** Something was committed. */
  changed: (changes: Changes) => void
  /** Brings up to date what has stayed behind. */
  schedule: () => void
  /** Purges the raw rows of the days before one, in small bites. */
  purge: (before: Day) => void
  /** Takes the last changes in, and ends. */
  stop: () => Promise<void>
}

type Options = { path: string, timezone: string, today: () => Day, failed: (error: unknown) => void, purged: (rows: number) => void }

export const createRefresher = ({ path, timezone, today, failed, purged }: Options): Refresher => {
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | null = null
  let busy = false
  let wanted = false
  let stopped = false
  let changes = noChanges()
  let ended: () => void = () => {}

  const start = (): Worker => {
    const made = startWorker('rollup.cjs', { workerData: { path, timezone } })
    made.on('message', (report: Report) => {
      const wrong = 'error' in report
      if (wrong) failed(new Error(report.error))
      else if (report.kind === 'purge') purged(report.count)
      // The days are still marked: what kept them from being derived may be over by then.
      if (wrong && report.kind === 'refresh') {
        wanted = true
        changes.whole = true
      }
      // A long day must not keep a core busy all the time.
      if (report.kind === 'refresh') finish(wrong ? again : Math.max(pause, report.milliseconds))
    })
    made.on('error', error => {
      failed(error)
      worker = null
      wanted = true
      changes.whole = true
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
    order({ kind: 'refresh', today: today(), changes, last: stopped })
    changes = noChanges()
  }

  const wait = (milliseconds: number): void => {
    if (!stopped) timer ??= setTimeout(refresh, milliseconds)
  }

  const finish = (milliseconds: number): void => {
    busy = false
    if (stopped) ended()
    else if (wanted) wait(milliseconds)
  }

  const schedule = (): void => {
    wanted = true
    if (!busy) wait(pause)
  }

  /** Waits for the refresh under way, or for one more. */
  const settled = (): Promise<unknown> => {
    const end = new Promise<void>(resolve => { ended = resolve })
    return Promise.race([end, pauseFor(patience, undefined, { ref: false })])
  }

  return {
    changed: made => {
      addChanges(changes, made)
      schedule()
    },
    schedule,
    purge: before => order({ kind: 'purge', before }),
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      stopped = true
      if (busy) await settled()
      if (worker !== null || wanted) {
        refresh()
        await settled()
      }
      await worker?.terminate()
    },
  }
}
