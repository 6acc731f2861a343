import * as v from 'valibot'
import { noteErasure } from '../collection/store/erasures.ts'
import { get, query, type Db } from '../database/query.ts'
import { deriveDay, spanOf } from '../rollup/derive.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { rollupTables } from '../rollup/tables.ts'
import { noteChange } from '../settings/settings.ts'
import isBehind from '../sql/erasure.is-behind.sql'
import purgedDays from '../sql/erasure.purged-days.sql'
import type { Day, Zone } from '../lib/time.ts'
import { erase, type Erased, type Target } from './targets.ts'

const day = v.object({ day: v.number() })
const purgedQuery = query(purgedDays, day, v.object({ days: v.number() }))
const behindQuery = query(isBehind, day, day)

/** `purged`: days without raw rows, whose totals still count what was erased; they end before `rawFrom`. */
export type Outcome = Erased & { purged: number; rawFrom: Day }

export type Wish = { target: Target; value: string; keepQuery: readonly string[]; dryRun: boolean }

class Rehearsed extends Error {
  readonly outcome: Outcome | null

  constructor(outcome: Outcome | null) {
    super('a rehearsal is rolled back')
    this.outcome = outcome
  }
}

const work = (db: Db, zone: Zone, { target, value, keepQuery }: Wish, second: number): Outcome | null => {
  const erased = erase({ db, zone, keepQuery }, target, value)
  if (erased === null) return null
  noteErasure(db)
  // What was erased must not stand in the log of changes.
  noteChange(db, second, 'cli', `a ${target} was erased`)
  const first = rawFrom(db)
  return { ...erased, rawFrom: first, purged: get(db, purgedQuery, { day: first })?.days ?? 0 }
}

/** Erases in one transaction; a rehearsal does all of it too, and is rolled back. Null if nothing of it is kept. */
export const runErasure = (db: Db, zone: Zone, wish: Wish, second: number): Outcome | null => {
  try {
    return db
      .transaction(() => {
        const outcome = work(db, zone, wish, second)
        if (wish.dryRun) throw new Rehearsed(outcome)
        return outcome
      })
      .immediate()
  } catch (error) {
    if (error instanceof Rehearsed) return error.outcome
    throw error
  }
}

const isRight = (db: Db, zone: Zone, day: Day): boolean => {
  deriveDay(db, spanOf(zone, day))
  return rollupTables.every(({ compare }) => get(db, compare, { period: day })?.rows === 0)
}

/** Whether the rollups of the days follow their raw rows. The day under way stays marked, so what is marked is derived and compared. */
export const areDerived = (db: Db, zone: Zone, days: readonly Day[]): boolean =>
  days
    .filter(one => one >= rawFrom(db))
    .every(one => get(db, behindQuery, { day: one }) === undefined || isRight(db, zone, one))
