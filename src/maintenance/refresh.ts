import { setTimeout as wait } from 'node:timers/promises'
import { addChanges, noChanges, type Changes } from '../rollup/changes.ts'
import type { Followed } from '../rollup/follow.ts'
import type { Day } from '../lib/time.ts'
import type { WorkThread } from './thread.ts'

/** A hit shows in every report within two seconds of its commit: a pause, and the time that two looks may take. */
const pause = 400
/** A look that takes longer than this is worth waiting for more to come: the visits concerned are much the same. */
const cheap = 40
const longestPause = 1500
const promise = 1800

/** The pause after a look of so many milliseconds; a long one must not keep a core busy all the time. */
const pauseAfter = (milliseconds: number): number =>
  milliseconds <= cheap ? pause : Math.max(pause, milliseconds, Math.min(longestPause, promise - 2 * milliseconds))

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

type Options = {
  today: () => Day
  /** Whether the file has days that are not derived, added up or packed, whoever left them. */
  isBehind: () => boolean
  /** Called before each look: what commits have left for later is to be in the file. */
  before: () => void
  /** Is told how many past days are still to be derived. */
  behind: (days: number) => void
  failed: (error: unknown) => void
}

export const createRefresher = (
  thread: WorkThread,
  { today, isBehind, before, behind, failed }: Options,
): Refresher => {
  let timer: NodeJS.Timeout | null = null
  let busy = 0
  let wanted = false
  let stopped = false
  let changes = noChanges()

  const begin = (milliseconds: number): void => {
    if (!stopped && busy === 0)
      timer ??= setTimeout(() => {
        follow().catch(failed)
      }, milliseconds)
  }

  const finish = (next: number): void => {
    busy -= 1
    if (wanted) begin(next)
  }

  /** One look; gives what it did, and plans the next one if days are left. */
  const follow = async (): Promise<Followed> => {
    before()
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
      behind(followed.left)
      finish(pauseAfter(performance.now() - started))
      return followed
    } catch (error) {
      // The days are still marked: what kept them from being derived may be over by then.
      wanted = true
      changes.whole = true
      finish(again)
      throw error
    }
  }

  const refresh = async (): Promise<number> => {
    let days = 0
    before()
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
    begin(pause)
  }

  return {
    changed: made => {
      addChanges(changes, made)
      schedule()
    },
    schedule: () => {
      if (isBehind()) schedule()
    },
    refresh,
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      stopped = true
      if (!wanted && !thread.isRunning()) return
      await Promise.race([follow().catch(failed), wait(patience, undefined, { ref: false })])
    },
  }
}
