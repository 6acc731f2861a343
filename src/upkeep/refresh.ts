import { setTimeout as wait } from 'node:timers/promises'
import { addChanges, noChanges, type Changes } from '../rollup/changes.ts'
import type { Day } from '../time.ts'
import type { WorkThread } from './thread.ts'

/** A hit shows in every report within two seconds of its commit: this pause, and the time that the changes take. */
const pause = 400
/** After a failure: often enough for the reports, seldom enough for the log. */
const again = 2000
/** How long a stop waits for the last refresh; what it does not take in is derived at the next start. */
const patience = 10_000

/** Keeps the rollups close behind the raw rows: one refresh for all commits of a short while. */
export type Refresher = {
  /** Something was committed. */
  changed: (changes: Changes) => void
  /** Brings up to date what has stayed behind, soon. */
  schedule: () => void
  /** Brings all up to date now; gives how many days were behind. */
  refresh: () => Promise<number>
  /** Takes the last changes in. */
  stop: () => Promise<void>
}

export const createRefresher = (thread: WorkThread, today: () => Day, failed: (error: unknown) => void): Refresher => {
  let timer: NodeJS.Timeout | null = null
  let busy = 0
  let wanted = false
  let stopped = false
  let changes = noChanges()

  const begin = (milliseconds: number): void => {
    if (!stopped && busy === 0) timer ??= setTimeout(() => { refresh().catch(failed) }, milliseconds)
  }

  /** A long day must not keep a core busy all the time. */
  const finish = (milliseconds: number): void => {
    busy -= 1
    if (wanted) begin(Math.max(pause, milliseconds))
  }

  const refresh = async (): Promise<number> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    wanted = false
    busy += 1
    const taken = changes
    changes = noChanges()
    const started = performance.now()
    try {
      const days = await thread.follow(today(), taken, stopped)
      finish(performance.now() - started)
      return days
    } catch (error) {
      // The days are still marked: what kept them from being derived may be over by then.
      wanted = true
      changes.whole = true
      finish(again)
      throw error
    }
  }

  const schedule = (): void => {
    wanted = true
    begin(pause)
  }

  return {
    changed: made => {
      addChanges(changes, made)
      schedule()
    },
    schedule,
    refresh,
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      stopped = true
      if (!wanted && !thread.isRunning()) return
      await Promise.race([refresh().catch(failed), wait(patience, undefined, { ref: false })])
    },
  }
}
