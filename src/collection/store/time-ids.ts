import * as v from 'valibot'
import { get, query, type Db } from '../../database/query.ts'
import lastEvent from '../../sql/event.last-id.sql'
import lastView from '../../sql/view.last-id.sql'
import { firstViewId } from '../../database/view-id.ts'

const second = v.object({ first: v.number(), next: v.number() })
const found = v.object({ id: v.nullable(v.number()) })
const queries = { view: query(lastView, second, found), event: query(lastEvent, second, found) }

const cacheSize = 5000

/** Ids that hold their second: the next one free in that second. */
export type TimeIds = {
  next: (second: number) => number
  /** The largest id there is; 0 if there is none. */
  newest: () => number
  reset: () => void
}

export const createTimeIds = (db: Db, table: keyof typeof queries): TimeIds => {
  const last = new Map<number, number>()
  // Of seconds after the newest one nothing can be in the file.
  let newest: number | null = null

  const findNewest = (): number => get(db, queries[table], { first: 0, next: Number.MAX_SAFE_INTEGER })?.id ?? 0

  return {
    newest: () => (newest ??= findNewest()),
    next: at => {
      newest ??= findNewest()
      const before =
        last.get(at) ??
        (firstViewId(at) > newest
          ? null
          : (get(db, queries[table], { first: firstViewId(at), next: firstViewId(at + 1) })?.id ?? null))
      const id = before === null ? firstViewId(at) : before + 1
      if (last.size >= cacheSize) last.clear()
      last.set(at, id)
      newest = Math.max(newest, id)
      return id
    },
    reset: () => {
      last.clear()
      newest = null
    },
  }
}
