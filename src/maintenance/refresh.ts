import { setTimeout as wait } from 'node:timers/promises'
import type { Day } from '../lib/time.ts'
import { addChanges, type Changes, noChanges } from '../rollup/changes.ts'
import type { Followed } from './follow.ts'
import type { TaskThread } from './thread.ts'

/** A hit shows in every report within two seconds of its commit: a delay, and the time that two updates may take. */
const minDelay = 400
/** After an update that took longer than this, waiting for more commits pays: they mostly concern the same visits. */
const cheapUpdate = 40
const maxDelay = 1500
const maxAge = 1800

/** The delay after an update of so many milliseconds; long ones must not keep a core busy all the time. */
const delayAfter = (milliseconds: number): number =>
  milliseconds <= cheapUpdate
    ? minDelay
    : Math.max(minDelay, milliseconds, Math.min(maxDelay, maxAge - 2 * milliseconds))

/** The delay after a failure: short enough for the reports, long enough for the log. */
const retryDelay = 2000
/** How long a stop waits for the last update; what that misses is recalculated at the next start. */
const stopTimeout = 10_000

/** Keeps the rollups close behind the raw rows: one update for all commits of a short time. */
export type Refresher = {
  onCommit: (changes: Changes) => void
  /** Soon updates what is behind, if anything is. */
  schedule: () => void
  /** Brings all up to date now; returns how many days were behind. */
  refresh: () => Promise<number>
  /** Includes the last changes, then stops. */
  stop: () => Promise<void>
}

type Options = {
  today: () => Day
  /** Whether the file has days that are not recalculated, summed up or packed. */
  isBehind: () => boolean
  /** Called with the number of past days that are still to be recalculated. */
  onProgress: (daysLeft: number) => void
  onError: (error: unknown) => void
}

export const createRefresher = (thread: TaskThread, { today, isBehind, onProgress, onError }: Options): Refresher => {
  let timer: NodeJS.Timeout | null = null
  let busy = 0
  let wanted = false
  let stopped = false
  let changes = noChanges()

  const begin = (milliseconds: number): void => {
    if (!stopped && busy === 0)
      timer ??= setTimeout(() => {
        follow().catch(onError)
      }, milliseconds)
  }

  const finish = (next: number): void => {
    busy -= 1
    if (wanted) begin(next)
  }

  /** Runs one update, returns its result, and schedules the next one if days are left. */
  const follow = async (): Promise<Followed> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    wanted = false
    busy += 1
    const taken = changes
    changes = noChanges()
    const started = performance.now()
    try {
      const followed = await thread.follow(today(), taken, stopped)
      if (followed.left > 0 || followed.unpacked) wanted = true
      onProgress(followed.left)
      finish(delayAfter(performance.now() - started))
      return followed
    } catch (error) {
      // The days are still marked: the cause may have gone by the next time.
      wanted = true
      changes.whole = true
      finish(retryDelay)
      throw error
    }
  }

  const refresh = async (): Promise<number> => {
    let days = 0
    if (!isBehind()) return days
    for (let more = true; more && !stopped; ) {
      const { done, left, unpacked } = await follow()
      days += done
      more = left > 0 || unpacked
    }
    return days
  }

  const schedule = (): void => {
    wanted = true
    begin(minDelay)
  }

  return {
    onCommit: committed => {
      addChanges(changes, committed)
      schedule()
    },
    schedule: () => {
      if (isBehind()) schedule()
    },
    refresh,
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      stopped = true
      if (thread.isCopying() || (!wanted && !thread.isRunning())) return
      await Promise.race([follow().catch(onError), wait(stopTimeout, undefined, { ref: false })])
    },
  }
}
