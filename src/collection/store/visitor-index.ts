import * as v from 'valibot'
import { attempt } from '../../database/errors.ts'
import { all, get, iterate, query, run, type Db } from '../../database/query.ts'
import addVisitor from '../../sql/visitor.add.sql'
import listLasting from '../../sql/visitor.list-lasting.sql'
import listVisitors from '../../sql/visitor.list.sql'
import nextVisitor from '../../sql/visitor.next-id.sql'
import type { Day } from '../../lib/time.ts'
import { toBytes, type Hash } from '../enrich/hash.ts'
import { everyDay } from '../enrich/salts.ts'
import type { VisitorHash } from '../record.ts'

const nothing = v.object({})
const id = { id: v.number() }
const addQuery = query(addVisitor, v.object({ ...id, day: v.number(), hash: v.instance(Buffer) }), nothing)
const listQuery = query(listVisitors, nothing, v.object({ ...id, day: v.number(), hash: v.string() }))
const lastingQuery = query(listLasting, nothing, v.object({ ...id, hash: v.string() }))
const nextQuery = query(nextVisitor, nothing, v.object(id))

/** Visitor numbers by hash, one index for each day, so that the hashes of a day can be dropped at once. */
export type VisitorIndex = {
  find: (visitor: VisitorHash) => number | undefined
  /** Assigns a number to a new visitor. */
  add: (visitor: VisitorHash) => number
  /** Drops the hashes of days before this one: their salts were destroyed. */
  forgetBefore: (day: Day) => void
  /** After a rollback, or when another process erased visitors: drops what the file does not have. */
  restore: () => void
  /** Called when the visitors added so far were committed. */
  settle: () => void
}

/** The index is loaded here, before the first hit arrives. */
export const createVisitorIndex = (db: Db): VisitorIndex => {
  const days = new Map<Day, Map<Hash, number>>()
  const readNextId = (): number => get(db, nextQuery, {})?.id ?? 1
  let nextId = 1
  let uncommitted: VisitorHash[] = []

  const index = (day: Day, hash: Hash, id: number): void => {
    const ids = days.get(day)
    if (ids === undefined) days.set(day, new Map([[hash, id]]))
    else ids.set(hash, id)
  }

  const loadChangeable = (): void => {
    nextId = readNextId()
    // Other hashes are only deleted together with their day.
    days.set(everyDay, new Map(all(db, lastingQuery, {}).map(({ id, hash }) => [hash, id])))
  }

  const load = (): void => {
    days.clear()
    nextId = readNextId()
    for (const { id, day, hash } of iterate(db, listQuery, {})) index(day, hash, id)
  }
  // A damaged file must not prevent the start; each commit tries again.
  let isLoaded = attempt(load)

  return {
    find: ({ day, hash }) => {
      if (!isLoaded) load()
      isLoaded = true
      return days.get(day)?.get(hash)
    },
    add: visitor => {
      const { day, hash } = visitor
      const id = nextId
      nextId += 1
      run(db, addQuery, { id, day, hash: toBytes(hash) })
      index(day, hash, id)
      uncommitted.push(visitor)
      return id
    },
    forgetBefore: first => {
      for (const day of days.keys()) if (day < first) days.delete(day)
    },
    restore: () => {
      for (const { day, hash } of uncommitted) days.get(day)?.delete(hash)
      uncommitted = []
      isLoaded &&= attempt(loadChangeable)
    },
    settle: () => {
      uncommitted = []
    },
  }
}
