import * as v from 'valibot'
import { type Db, get, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import sqlText from '../../sql/recent-ids.sql'
import { hashOf, toBytes } from '../enrich/salts.ts'

const sql = statements(sqlText)

const id = { id: v.number() }
const place = { kind: v.picklist(['view', 'event']), visitor_id: v.number(), key: v.instance(Buffer) }
/** A visit that continues under another visitor number; `first_id` is the smallest view id of its first second. */
export const rekeyed = { visitor_id: v.number(), previous_id: v.number(), first_id: v.number(), session_id: v.number() }
export type Rekeyed = v.InferOutput<v.ObjectSchema<typeof rekeyed, undefined>>

const addQuery = query(sql('recent-id.add'), v.object({ ...place, ...id }))
const findQuery = query(sql('recent-id.find'), v.object(place), v.object(id))
const forgetQuery = query(sql('recent-id.forget-before'), v.object({ before: v.number() }))
const rekeyQuery = query(sql('recent-id.rekey'), v.object(rekeyed))

/** Ids of this length are unique across the site; shorter ones are unique within their visitor only. */
const uniqueLength = 16
const everyVisitor = 0

/** Views and events of the last 48 hours by the ids that clients sent. */
export type RecentIds = {
  /** The view or event that a visitor sent with this id. */
  find: (kind: RecentKind, id: string, visitor: number) => number | undefined
  add: (kind: RecentKind, id: string, visitor: number, row: number) => void
  /** Called when a visit continues under another visitor number. */
  rekey: (change: Rekeyed) => void
  /** Deletes the ids of views and events before this one. */
  forgetBefore: (first: number) => void
}

export type RecentKind = v.InferOutput<typeof place.kind>

const placeOf = (
  kind: RecentKind,
  id: string,
  visitor: number,
): v.InferOutput<v.ObjectSchema<typeof place, undefined>> =>
  id.length < uniqueLength
    ? { kind, visitor_id: visitor, key: Buffer.from(id) }
    : { kind, visitor_id: everyVisitor, key: toBytes(hashOf(id)) }

export const createRecentIds = (db: Db): RecentIds => ({
  find: (kind, id, visitor) => get(db, findQuery, placeOf(kind, id, visitor))?.id,
  add: (kind, id, visitor, row) => {
    run(db, addQuery, { ...placeOf(kind, id, visitor), id: row })
  },
  rekey: change => {
    run(db, rekeyQuery, change)
  },
  forgetBefore: first => {
    run(db, forgetQuery, { before: first })
  },
})
