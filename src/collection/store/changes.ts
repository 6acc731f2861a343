import type { Db } from '../../database/query.ts'
import type { Day } from '../../lib/time.ts'
import { type Changes, noChanges } from '../../rollup/changes.ts'
import { markDirty } from '../../rollup/dirty.ts'

/** Records what a transaction changes, for updating the rollups. */
export type ChangeRecorder = {
  day: (day: Day) => void
  view: (id: number) => void
  event: (id: number) => void
  session: (id: number) => void
  /** Records changes that cannot be listed row by row. */
  whole: () => void
  /** Called before the commit: the next transaction marks its own days. */
  endTransaction: () => void
  /** Returns the changes since the last call. */
  take: () => Changes
  /** After a rollback. */
  reset: () => void
}

export const createChangeRecorder = (db: Db): ChangeRecorder => {
  let changes = noChanges()
  const dirty = new Set<Day>()
  const take = (): Changes => {
    const taken = changes
    changes = noChanges()
    return taken
  }
  return {
    day: day => {
      if (!dirty.has(day)) markDirty(db, day)
      dirty.add(day)
    },
    view: id => changes.views.push(id),
    event: id => changes.events.push(id),
    session: id => changes.sessions.push(id),
    whole: () => {
      changes.whole = true
    },
    endTransaction: () => dirty.clear(),
    take,
    reset: () => {
      take()
      dirty.clear()
    },
  }
}
