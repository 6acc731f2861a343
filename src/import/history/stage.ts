// Rows of a history wait in temporary tables, so that memory does not grow with the files.
import { hash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { all, type Db, get, none, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import type { Day } from '../../lib/time.ts'
import sqlText from '../../sql/import-stage.sql'

const sql = statements(sqlText)

const number = v.number()
const blob = v.instance(Buffer)
const day = v.object({ day: number })
const visitor = v.object({ hash: blob, day: number })
const text = v.string()
const hitQuery = query(
  sql('import.hit.add'),
  v.object({ visit: blob, visitor: number, at: number, day: number, data: text }),
)
const findVisitorQuery = query(sql('import.visitor.find'), visitor, v.object({ number }))
const addVisitorQuery = query(sql('import.visitor.add'), visitor, v.object({ number }))
const fillQuery = query(sql('import.visit.fill'))
const visitsQuery = query(
  sql('import.visit.list'),
  v.object({ start: number, end: number }),
  v.object({ number, visit: blob }),
)
const hitsQuery = query(
  sql('import.hit.list'),
  v.object({ visit: blob }),
  v.object({ id: number, visitor: number, at: number, data: text }),
)
const countQuery = query(sql('import.hit.count'), day, v.object({ hits: number }))
const daysQuery = query(sql('import.hit.days'), none, day)
const monthsQuery = query(sql('import.visitor.months'), none, v.object({ month: number, visitors: number }))
const sumQuery = query(sql('import.sum.add'), v.object({ day: number, row: text }))
const sumsQuery = query(sql('import.sum.list'), day, v.object({ row: text }))
const keyQuery = query(sql('import.key.add'), v.object({ key: blob }))
const lookupQuery = query(sql('import.lookup.add'), v.object({ kind: text, id: text, value: text }))
const lookupsQuery = query(sql('import.lookup.list'), v.object({ kind: text, id: text }), v.object({ value: text }))

const cacheKiB = 65_536
const hashLength = 12
const cacheSize = 20_000

/** A row of a visit, as it was staged. */
export type StagedHit = v.InferOutput<typeof hitsQuery.row>

export type Stage = ReturnType<typeof createStage>

/** Clears what an earlier import has left. Identities are hashed under a salt that is nowhere but here. */
export const createStage = (db: Db) => {
  db.exec(sql('import.stage.script'))
  db.pragma(`temp.cache_size = -${cacheKiB}`)
  const salt = randomBytes(32).toString('hex')
  const hashOf = (value: string): Buffer => hash('sha256', `${salt}${value}`, 'buffer').subarray(0, hashLength)
  const visitors = createLruCache<string, number>(cacheSize)

  /** Numbers follow the order of the files, so they are the same when an import is resumed. */
  const visitorOf = (id: string, on: Day): number => {
    const key = `${on} ${id}`
    const known = visitors.get(key)
    if (known !== undefined) return known
    const hash = hashOf(id)
    const found =
      get(db, findVisitorQuery, { hash, day: on })?.number ?? get(db, addVisitorQuery, { hash, day: on })?.number ?? 0
    visitors.set(key, found)
    return found
  }

  return {
    /** Whether no row with these values came before. */
    isFirst: (...values: string[]): boolean => run(db, keyQuery, { key: hashOf(JSON.stringify(values)) }) === 1,
    remember: (kind: string, id: string, value: string): void => {
      run(db, lookupQuery, { kind, id, value })
    },
    recall: (kind: string, id: string): string[] => all(db, lookupsQuery, { kind, id }).map(({ value }) => value),
    addHit: (visit: string, person: string, at: number, on: Day, data: string): void => {
      run(db, hitQuery, { visit: hashOf(visit), visitor: visitorOf(person, on), at, day: on, data })
    },
    addSum: (on: Day, row: string): void => {
      run(db, sumQuery, { day: on, row })
    },
    /** Fills the stage in one transaction, of temporary tables only: the file is neither read nor locked meanwhile. */
    within: async <Result>(fill: () => Promise<Result>): Promise<Result> => {
      db.exec('begin')
      try {
        const result = await fill()
        run(db, fillQuery, {})
        return result
      } finally {
        db.exec('commit')
      }
    },
    days: (): Day[] => all(db, daysQuery, {}).map(row => row.day),
    countDay: (on: Day): number => get(db, countQuery, { day: on })?.hits ?? 0,
    sums: (on: Day): string[] => all(db, sumsQuery, { day: on }).map(({ row }) => row),
    visits: (start: number, end: number) => all(db, visitsQuery, { start, end }),
    hits: (visit: Buffer): StagedHit[] => all(db, hitsQuery, { visit }),
    visitorMonths: () => all(db, monthsQuery, {}),
  }
}
