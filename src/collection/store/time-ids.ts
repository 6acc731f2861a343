import * as v from 'valibot'
import { type Db, get, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { firstViewId } from '../../database/view-id.ts'
import sqlText from '../../sql/time-ids.sql'

const sql = statements(sqlText)

const range = v.object({ first: v.number(), next: v.number() })
const last = v.object({ id: v.nullable(v.number()) })
const queries = { view: query(sql('view.last-id'), range, last), event: query(sql('event.last-id'), range, last) }

const cacheSize = 5000

/** Assigns ids that contain the time in seconds. */
export type TimeIds = {
  next: (at: number) => number
  reset: () => void
}

export const createTimeIds = (db: Db, table: keyof typeof queries): TimeIds => {
  const lastIds = new Map<number, number>()
  /** The largest id, to skip the query for later seconds. */
  let newest: number | null = null

  const findNewest = (): number => get(db, queries[table], { first: 0, next: Number.MAX_SAFE_INTEGER })?.id ?? 0

  return {
    next: at => {
      newest ??= findNewest()
      const before =
        lastIds.get(at) ??
        (firstViewId(at) > newest
          ? null
          : (get(db, queries[table], { first: firstViewId(at), next: firstViewId(at + 1) })?.id ?? null))
      const id = before === null ? firstViewId(at) : before + 1
      if (lastIds.size >= cacheSize) lastIds.clear()
      lastIds.set(at, id)
      newest = Math.max(newest, id)
      return id
    },
    reset: () => {
      lastIds.clear()
      newest = null
    },
  }
}
