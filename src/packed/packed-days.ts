// The door of packed days: other folders import nothing else of this one. docs/packed-days.md says what they are.
import * as v from 'valibot'
import { type Db, get, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Tracer } from '../database/trace.ts'
import type { Day } from '../lib/time.ts'
import sqlText from '../sql/packed-days.sql'
import { type PackedDay, unpackColumns } from './format.ts'
import { eachPath, type PathOptions, type TakePath } from './paths.ts'
import { deriveRollups, type RollupRequest } from './rollups.ts'
import {
  type Condition,
  canFilter,
  conditionsOf,
  type PackedFilters,
  type PageHosts,
  readPageHosts,
  select,
  type UseDay,
} from './select.ts'

export type { Column, PackedDay, SessionColumn } from './format.ts'
export { hasUnpackedDays, packDays, packLoaded } from './pack.ts'
export { readPageHosts } from './select.ts'

const sql = statements(sqlText)

const dayQuery = query(sql('packed-day.find'), v.object({ day: v.number() }), v.object({ columns: v.instance(Buffer) }))

/**
 * Calls `use` with a day's visits; returns false if the day is not packed. Their memory is freed afterwards: it is
 * outside the heap, so the garbage collector would not account for a hundred days of it.
 */
const usePackedDay = (db: Db, day: Day, use: (packed: PackedDay) => void): boolean => {
  const row = get(db, dayQuery, { day })
  const packed = row === undefined ? null : unpackColumns(row.columns)
  if (packed !== null) use(packed)
  if (row?.columns.buffer instanceof ArrayBuffer) row.columns.buffer.transfer(0)
  return packed !== null
}

/** The packed days of a file as a report reads them. Arrays in `use` and `take` are valid during the call only. */
export type PackedDays = {
  /** Whether packed days know what the filters select. If not, all days must be read from rows. */
  canFilter: boolean
  /** Calls `use` with a day and what the filters select of it; false for a day that must be read from rows. */
  read: (day: Day, use: UseDay) => boolean
  /** Calls `take` with the path of each selected session that began on a day; false as for `read`. */
  readPaths: (day: Day, options: PathOptions, take: TakePath) => boolean
  /** Derives the rollups of days that statements read; returns the days that must be derived from rows. */
  derive: (days: readonly Day[], request: RollupRequest) => Day[]
}

type Options = {
  /** 1 for each session of a day that a filter by goals selects; null for a day that is not known. */
  reached: ((day: Day) => Uint8Array | null) | null
  trace: Tracer
}

export const openPackedDays = (db: Db, filters: PackedFilters, { reached, trace }: Options): PackedDays => {
  let hosts: PageHosts | null = null
  const pageHosts = (): PageHosts => (hosts ??= readPageHosts(db))
  let known: readonly Condition[] | null = null
  const conditions = (): readonly Condition[] =>
    (known ??= conditionsOf(filters, filters.slots.host === undefined ? null : pageHosts()))
  const isSupported = canFilter(filters)
  const allowedOn = (day: Day): Uint8Array | null => reached?.(day) ?? null

  /** What `use` reads besides is traced by itself and as a part of this. */
  const traced = (day: Day, use: (packed: PackedDay) => void): boolean => {
    let isPacked = false
    const work = (): number => {
      isPacked = usePackedDay(db, day, use)
      return Number(isPacked)
    }
    if (isSupported) trace(db, { sql: dayQuery.sql, params: { day } }, work, true)
    return isPacked
  }
  const read: PackedDays['read'] = (day, use) =>
    traced(day, packed => use(packed, select(packed, conditions(), allowedOn(day))))
  return {
    canFilter: isSupported,
    read,
    readPaths: (day, options, take) =>
      traced(day, packed => eachPath(packed, conditions(), allowedOn(day), options, take)),
    derive: (days, request) => (isSupported ? deriveRollups(db, days, request, { read, pageHosts }) : [...days]),
  }
}
