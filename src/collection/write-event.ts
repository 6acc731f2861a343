import * as v from 'valibot'
import { get, query, run } from '../database/query.ts'
import addProperty from '../sql/event-property.add.sql'
import addEvent from '../sql/event.add.sql'
import addRecent from '../sql/recent-event.add.sql'
import findRecent from '../sql/recent-event.find.sql'
import addPurchase from '../sql/shop-purchase.add.sql'
import findViewById from '../sql/view.find.sql'
import type { Day } from '../time.ts'
import type { EventNames } from './event-names.ts'
import type { EventRecord } from './record.ts'
import type { Session } from './sessions.ts'
import { findView, scopeOf, type Tools } from './write-hit.ts'

const nothing = v.object({})
const nullable = v.nullable(v.number())
const addEventQuery = query(addEvent, v.object({
  id: v.number(), session_id: nullable, visitor_id: v.number(), page_id: nullable, name_id: v.number(), value: nullable, order_id: v.nullable(v.string()),
}), nothing)
const addPropertyQuery = query(addProperty, v.object({ event_id: v.number(), key_id: v.number(), value_id: v.number() }), nothing)
const recent = { event_key: v.string(), scope: v.number() }
const findRecentQuery = query(findRecent, v.object(recent), v.object({ event_id: v.number() }))
const addRecentQuery = query(addRecent, v.object({ ...recent, event_id: v.number() }), nothing)
const purchaseQuery = query(addPurchase, v.object({ order_id: v.string() }), nothing)
const viewQuery = query(findViewById, v.object({ id: v.number() }), v.object({ session_id: v.number(), page_id: v.number() }))

/** Events that tell in which session an order was placed. */
const purchases: readonly string[] = ['purchase', 'wc_purchase']

/** An event that a bounce may have: the visitor did nothing for it. */
const passive = 'not_found'

const addProperties = (tools: Tools, names: EventNames, day: Day, event: number, name: number, record: EventRecord): void => {
  for (const [keyText, text] of record.properties) {
    const key = names.key(day, name, keyText)
    run(tools.db, addPropertyQuery, { event_id: event, key_id: key, value_id: names.value(day, name, key, text) })
  }
}

/** The page an event happened on: the one it names, else that of its view, else the one seen last. */
const pageNumber = (tools: Tools, day: Day, record: EventRecord, visitor: number, session: Session | undefined): number | null => {
  if (record.page !== null) return tools.interner.page(day, record.page)
  const view = record.pvid === null ? undefined : findView(tools.db, record.pvid, visitor)
  const page = view?.visitor_id === visitor ? get(tools.db, viewQuery, { id: view.view_id })?.page_id : undefined
  return page ?? session?.exit_page_id ?? null
}

export const writeEvent = (tools: Tools, names: EventNames, record: EventRecord): 'accepted' | 'repeated' => {
  const { db, zone, sessions } = tools
  const visitor = tools.visitors.identify(record, true) ?? 0
  const { eventId, second } = record
  if (eventId !== null && get(db, findRecentQuery, { event_key: eventId, scope: scopeOf(eventId, visitor) }) !== undefined) return 'repeated'

  const day = zone.dayOf(second)
  const session = tools.visitors.sessionOf(record, visitor)
  if (session !== undefined) {
    tools.changed(zone.dayOf(session.started_at))
    sessions.extend(session, second, false)
    tools.changed(zone.dayOf(session.started_at))
    if (record.name !== passive) session.events += 1
  }
  tools.changed(day)
  const id = tools.eventIds.next(second)
  const name = names.name(day, record.name)
  run(db, addEventQuery, {
    id, session_id: session?.id ?? null, visitor_id: visitor, page_id: pageNumber(tools, day, record, visitor, session),
    name_id: name, value: record.value, order_id: record.orderId,
  })
  addProperties(tools, names, day, id, name, record)
  if (record.orderId !== null && purchases.includes(record.name)) run(db, purchaseQuery, { order_id: record.orderId })
  if (eventId !== null) run(db, addRecentQuery, { event_key: eventId, scope: scopeOf(eventId, visitor), event_id: id })
  return 'accepted'
}
