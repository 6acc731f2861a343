import * as v from 'valibot'
import { get, prepare, query, run, type Db } from '../../database/query.ts'
import { createRows } from '../../database/rows.ts'
import addEvent from '../../sql/recent-event.add.sql'
import forgetEvents from '../../sql/recent-event.forget-before.sql'
import listEvents from '../../sql/recent-event.list.sql'
import addShortEvent from '../../sql/recent-short-event.add.sql'
import findShortEvent from '../../sql/recent-short-event.find.sql'
import forgetShortEvents from '../../sql/recent-short-event.forget-before.sql'
import rekeyShortEvents from '../../sql/recent-short-event.rekey.sql'
import addShortView from '../../sql/recent-short-view.add.sql'
import findShortView from '../../sql/recent-short-view.find.sql'
import forgetShortViews from '../../sql/recent-short-view.forget-before.sql'
import rekeyShortViews from '../../sql/recent-short-view.rekey.sql'
import addView from '../../sql/recent-view.add.sql'
import forgetViews from '../../sql/recent-view.forget-before.sql'
import listViews from '../../sql/recent-view.list.sql'
import { fromBytes, hashOf, toBytes, type Hash } from '../enrich/hash.ts'
import { createHashIndex } from './hash-index.ts'

const nothing = v.object({})
const id = { id: v.number() }
const short = { key: v.string(), visitor_id: v.number() }
const hashed = v.object({ ...id, hash: v.instance(Buffer) })
/** What a visit takes along: `first_id` of its first moment. */
export const rekeyed = { visitor_id: v.number(), previous_id: v.number(), first_id: v.number(), session_id: v.number() }
export type Rekeyed = v.InferOutput<v.ObjectSchema<typeof rekeyed, undefined>>
const before = v.object({ before: v.number() })

type Texts = Record<'add' | 'list' | 'forget' | 'addShort' | 'findShort' | 'forgetShort' | 'rekeyShort', string>

const statements = (sql: Texts) => ({
  add: query(sql.add, hashed, nothing),
  list: query(sql.list, nothing, hashed),
  forget: query(sql.forget, before, nothing),
  addShort: query(sql.addShort, v.object({ ...short, ...id }), nothing),
  findShort: query(sql.findShort, v.object(short), v.object(id)),
  forgetShort: query(sql.forgetShort, before, nothing),
  rekeyShort: query(sql.rekeyShort, v.object(rekeyed), nothing),
})

const tables = {
  view: statements({
    add: addView,
    list: listViews,
    forget: forgetViews,
    addShort: addShortView,
    findShort: findShortView,
    forgetShort: forgetShortViews,
    rekeyShort: rekeyShortViews,
  }),
  event: statements({
    add: addEvent,
    list: listEvents,
    forget: forgetEvents,
    addShort: addShortEvent,
    findShort: findShortEvent,
    forgetShort: forgetShortEvents,
    rekeyShort: rekeyShortEvents,
  }),
}

/** Ids of this length are unique across the site, whatever the address of the visitor; shorter ones within the visitor. */
const uniqueLength = 16

/** Views or events of the last 48 hours by the ids that clients gave them. */
export type RecentIds = {
  find: (key: string, visitor: number) => number | undefined
  add: (key: string, visitor: number, id: number) => void
  /** A visit goes on under another visitor number; its views and events are in the file. */
  rekey: (change: Rekeyed) => void
  forgetBefore: (firstId: number) => void
  /** Puts new ones into the file. */
  write: () => void
  /** After a rollback, and where rows were erased. */
  reset: () => void
}

export const createRecentIds = (db: Db, kind: keyof typeof tables): RecentIds => {
  const { add, list, forget, addShort, findShort, forgetShort, rekeyShort } = tables[kind]
  const known = createHashIndex()
  const rows = createRows(db, add)
  let loaded = false
  /** Ids before this one are forgotten; they stay in memory until they are half of what is there. */
  let oldest = 0
  let live = 0
  let stale = 0

  const keep = (hash: Hash, id: number): void => {
    known.set(hash, id)
    live += 1
  }

  const reset = (): void => {
    known.clear()
    loaded = false
    live = 0
    stale = 0
  }

  const load = (): void => {
    rows.write()
    reset()
    loaded = true
    for (const row of prepare(db, list.sql).iterate()) {
      const found = row as v.InferOutput<typeof hashed>
      keep(fromBytes(found.hash), found.id)
    }
  }

  /** What an id is known by: its text could be anything that a client sends. It is looked for and then added, and hashed once. */
  let last = { key: '', hash: hashOf('') }
  const hashOfId = (key: string): Hash => {
    if (last.key !== key) last = { key, hash: hashOf(key) }
    return last.hash
  }

  const findHash = (hash: Hash): number | undefined => {
    const id = known.get(hash)
    return id === undefined || id < oldest ? undefined : id
  }

  return {
    find: (key, visitor) => {
      if (key.length < uniqueLength) return get(db, findShort, { key, visitor_id: visitor })?.id
      if (!loaded) load()
      return findHash(hashOfId(key))
    },
    add: (key, visitor, id) => {
      if (key.length < uniqueLength) {
        run(db, addShort, { key, visitor_id: visitor, id })
        return
      }
      const hash = hashOfId(key)
      rows.add({ id, hash: toBytes(hash) })
      if (loaded) keep(hash, id)
    },
    rekey: change => {
      run(db, rekeyShort, change)
    },
    forgetBefore: firstId => {
      const forgotten = run(db, forget, { before: firstId })
      run(db, forgetShort, { before: firstId })
      oldest = firstId
      live -= forgotten
      stale += forgotten
      if (stale > live) reset()
    },
    write: rows.write,
    reset: () => {
      rows.clear()
      reset()
    },
  }
}
