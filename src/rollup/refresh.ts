import type { Db } from '../database/query.ts'
import type { Zone } from '../time.ts'
import { rebuildDirtyDays } from './rebuild.ts'

/** A hit shows in every report within this time after its commit. */
const delay = 500

/** Keeps the rollups close behind the raw rows: one rebuild for all commits of a short while. */
export type Refresher = { schedule: () => void, now: () => void, stop: () => void }

export const createRefresher = (db: Db, zone: Zone, failed: (error: unknown) => void): Refresher => {
  let timer: NodeJS.Timeout | null = null

  const refresh = (): void => {
    timer = null
    try {
      rebuildDirtyDays(db, zone)
    } catch (error) {
      failed(error)
    }
  }

  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  return {
    schedule: () => {
      timer ??= setTimeout(refresh, delay)
    },
    now: () => {
      stop()
      refresh()
    },
    stop,
  }
}
