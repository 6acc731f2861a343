import * as v from 'valibot'
import { noteAction, type Origin } from '../audit/audit.ts'
import { type Db, get, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { recordErasure } from '../database/watch.ts'
import type { Day, Zone } from '../lib/time.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { isWhole } from '../rollup/whole.ts'
import sqlText from '../sql/erasure.sql'
import { type Erased, erase, type Target } from './targets.ts'

const sql = statements(sqlText)

const day = v.object({ day: v.number() })
const purgedQuery = query(sql('purged-days'), day, v.object({ days: v.number() }))
const behindQuery = query(sql('is-behind'), day, day)

/** `purged`: number of days before `rawFrom` without raw rows, whose totals still count the erased visits. */
export type Outcome = Erased & { purged: number; rawFrom: Day }

export type ErasureRequest = { target: Target; value: string; keepQuery: readonly string[]; dryRun: boolean }

/** Erases, or counts what would go, by whoever asked for it; null if it is not stored. */
export type Erase = (request: ErasureRequest, who: string | null) => Promise<Outcome | null>

class DryRunRollback extends Error {
  readonly outcome: Outcome | null

  constructor(outcome: Outcome | null) {
    super('a dry run is rolled back')
    this.outcome = outcome
  }
}

const eraseAndRecord = (
  db: Db,
  zone: Zone,
  { target, value, keepQuery }: ErasureRequest,
  origin: Origin,
): Outcome | null => {
  const erased = erase({ db, zone, keepQuery }, target, value)
  if (erased === null) return null
  recordErasure(db)
  // The audit log must not name what was erased.
  noteAction(db, origin, 'erased', { kind: target })
  const first = rawFrom(db)
  return { ...erased, rawFrom: first, purged: get(db, purgedQuery, { day: first })?.days ?? 0 }
}

/** Erases in one transaction, which a dry run rolls back. Returns null if the target is not stored. */
export const runErasure = (
  db: Db,
  zone: Zone,
  request: ErasureRequest,
  at: number,
  who: string | null = 'cli',
): Outcome | null => {
  try {
    return db
      .transaction(() => {
        const outcome = eraseAndRecord(db, zone, request, { at, who })
        if (request.dryRun) throw new DryRunRollback(outcome)
        return outcome
      })
      .immediate()
  } catch (error) {
    if (error instanceof DryRunRollback) return error.outcome
    throw error
  }
}

/** Whether the days' rollups match their raw rows. Dirty days are calculated and compared, as today stays dirty. */
export const areDerived = (db: Db, zone: Zone, days: readonly Day[]): boolean =>
  days
    .filter(date => date >= rawFrom(db))
    .every(date => get(db, behindQuery, { day: date }) === undefined || isWhole(db, zone, date))
