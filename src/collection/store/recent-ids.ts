import * as v from 'valibot'
import { attempt } from '../../database/errors.ts'
import { get, iterate, query, run, type Db } from '../../database/query.ts'
import { secondOf } from '../../database/view-id.ts'
import addEvent from '../../sql/recent-event.add.sql'
import findEvent from '../../sql/recent-event.find.sql'
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
import findView from '../../sql/recent-view.find.sql'
import forgetViews from '../../sql/recent-view.forget-before.sql'
import listViews from '../../sql/recent-view.list.sql'
import { hashOf, toBytes, type Hash } from '../enrich/hash.ts'

const nothing = v.object({})
const id = { id: v.number() }
const short = { key: v.string(), visitor_id: v.number() }
const hashed = v.object({ ...id, hash: v.instance(Buffer) })
/** A visit that continues under another visitor number; `first_id` is the smallest view id of its first second. */
export const rekeyed = { visitor_id: v.number(), previous_id: v.number(), first_id: v.number(), session_id: v.number() }
export type Rekeyed = v.InferOutput<v.ObjectSchema<typeof rekeyed, undefined>>
const before = v.object({ before: v.number() })

type Texts = Record<
  'add' | 'find' | 'list' | 'forget' | 'addShort' | 'findShort' | 'forgetShort' | 'rekeyShort',
  string
>

const statements = (sql: Texts) => ({
  add: query(sql.add, hashed, nothing),
  find: query(sql.find, hashed, v.object(id)),
  list: query(sql.list, nothing, v.object({ ...id, hash: v.string() })),
  forget: query(sql.forget, before, nothing),
  addShort: query(sql.addShort, v.object({ ...short, ...id }), nothing),
  findShort: query(sql.findShort, v.object(short), v.object(id)),
  forgetShort: query(sql.forgetShort, before, nothing),
  rekeyShort: query(sql.rekeyShort, v.object(rekeyed), nothing),
})

const tables = {
  view: statements({
    add: addView,
    find: findView,
    list: listViews,
    forget: forgetViews,
    addShort: addShortView,
    findShort: findShortView,
    forgetShort: forgetShortViews,
    rekeyShort: rekeyShortViews,
  }),
  event: statements({
    add: addEvent,
    find: findEvent,
    list: listEvents,
    forget: forgetEvents,
    addShort: addShortEvent,
    findShort: findShortEvent,
    forgetShort: forgetShortEvents,
    rekeyShort: rekeyShortEvents,
  }),
}

/** Ids of this length are unique across the site; shorter ones are unique within their visitor only. */
const uniqueLength = 16

const dayOfId = (id: number): number => Math.floor(secondOf(id) / 86_400)

/** Views or events of the last 48 hours by the ids that clients sent. */
export type RecentIds = {
  find: (key: string, visitor: number) => number | undefined
  add: (key: string, visitor: number, id: number) => void
  /** Called when a visit continues under another visitor number; its views and events are in the file. */
  rekey: (change: Rekeyed) => void
  /** Deletes the ids of views or events before this one, and days without any left. */
  forgetBefore: (firstId: number) => void
}

/**
 * The index in memory is made here, before any hit comes in, and only ever tells where to look: the row in the file
 * decides. So an id that was rolled back or erased needs no correction. Its keys are strings, which V8 hashes with a
 * seed of the process: nobody can choose ids that collide.
 */
export const createRecentIds = (db: Db, kind: keyof typeof tables): RecentIds => {
  const sql = tables[kind]
  /** Ids by hash, one index for each UTC day. */
  const days = new Map<number, Map<Hash, number>>()

  const index = (hash: Hash, id: number): void => {
    const day = dayOfId(id)
    const ids = days.get(day)
    if (ids === undefined) days.set(day, new Map([[hash, id]]))
    else ids.set(hash, id)
  }

  const isInFile = (hash: Hash, id: number): boolean => get(db, sql.find, { id, hash: toBytes(hash) }) !== undefined

  /** An id is usually looked up and then added; it is hashed only once. */
  let last = { key: '', hash: hashOf('') }
  const hashOfId = (key: string): Hash => {
    if (last.key !== key) last = { key, hash: hashOf(key) }
    return last.hash
  }

  const load = (): void => {
    for (const { id, hash } of iterate(db, sql.list, {})) index(hash, id)
  }
  // A damaged file must not prevent the start; each commit tries again.
  let isLoaded = attempt(load)
  const ensureLoaded = (): void => {
    if (!isLoaded) load()
    isLoaded = true
  }

  return {
    find: (key, visitor) => {
      if (key.length < uniqueLength) return get(db, sql.findShort, { key, visitor_id: visitor })?.id
      ensureLoaded()
      const hash = hashOfId(key)
      for (const ids of days.values()) {
        const id = ids.get(hash)
        if (id !== undefined && isInFile(hash, id)) return id
      }
      return undefined
    },
    add: (key, visitor, id) => {
      if (key.length < uniqueLength) {
        run(db, sql.addShort, { key, visitor_id: visitor, id })
        return
      }
      const hash = hashOfId(key)
      run(db, sql.add, { id, hash: toBytes(hash) })
      index(hash, id)
    },
    rekey: change => {
      run(db, sql.rekeyShort, change)
    },
    forgetBefore: firstId => {
      run(db, sql.forget, { before: firstId })
      run(db, sql.forgetShort, { before: firstId })
      for (const day of days.keys()) if (day < dayOfId(firstId)) days.delete(day)
    },
  }
}
