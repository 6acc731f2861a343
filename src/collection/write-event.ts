import * as v from 'valibot'
import { get, query, run } from '../database/query.ts'
import addKey from '../sql/event-key.add.sql'
import findKey from '../sql/event-key.find.sql'
import addProperty from '../sql/event-property.add.sql'
import addEvent from '../sql/event.add.sql'
import addRecent from '../sql/recent-event.add.sql'
import findRecent from '../sql/recent-event.find.sql'
import findViewById from '../sql/view.find.sql'
import type { Day } from '../time.ts'
import { other, type Novelty } from './novelty.ts'
import type { EventRecord } from './record.ts'
import type { Session } from './sessions.ts'
import { findView, scopeOf, type Tools } from './write-hit.ts'

const nothing = v.object({})
const nullable = v.nullable(v.number())
const addEventQuery = query(addEvent, v.object({
  id: v.number(), session_id: nullable, visitor_id: v.number(), page_id: nullable, name_id: v.number(), value: nullable, order_id: v.nullable(v.string()),
}), nothing)
const addPropertyQuery = query(addProperty, v.object({ event_id: v.number(), key_id: v.number(), value_id: v.number() }), nothing)
const key = v.object({ name_id: v.number(), key_id: v.number() })
const findKeyQuery = query(findKey, key, v.object({ key_id: v.number() }))
const addKeyQuery = query(addKey, key, nothing)
const recent = { event_key: v.string(), scope: v.number() }
const findRecentQuery = query(findRecent, v.object(recent), v.object({ event_id: v.number() }))
const addRecentQuery = query(addRecent, v.object({ ...recent, event_id: v.number() }), nothing)
const viewQuery = query(findViewById, v.object({ id: v.number() }), v.object({ session_id: v.number(), page_id: v.number() }))

/** An event that a bounce may have: the visitor did nothing for it. */
const passive = 'not_found'

/** The number of a property's key: new ones of an event name are bounded a day. */
const keyNumber = ({ db, interner }: Tools, novelty: Novelty, day: Day, name: number, text: string): number => {
  const labels = interner.labels
  const known = labels.intern({ text }, () => false)
  if (known !== null && get(db, findKeyQuery, { name_id: name, key_id: known }) !== undefined) return known
  if (!novelty.admitKey(day, name)) return labels.number({ text: other })
  const made = labels.number({ text })
  run(db, addKeyQuery, { name_id: name, key_id: made })
  return made
}

const addProperties = (tools: Tools, novelty: Novelty, day: Day, event: number, name: number, record: EventRecord): void => {
  for (const [keyText, text] of record.properties) {
    const key = keyNumber(tools, novelty, day, name, keyText)
    const value = tools.interner.labels.intern({ text }, () => novelty.admitValue(day, name, key)) ?? tools.interner.labels.number({ text: other })
    run(tools.db, addPropertyQuery, { event_id: event, key_id: key, value_id: value })
  }
}

/** The page an event happened on: the one it names, else that of its view, else the one seen last. */
const pageNumber = (tools: Tools, day: Day, record: EventRecord, visitor: number, session: Session | undefined): number | null => {
  if (record.page !== null) return tools.interner.page(day, record.page)
  const view = record.pvid === null ? undefined : findView(tools.db, record.pvid, visitor)
  const page = view?.visitor_id === visitor ? get(tools.db, viewQuery, { id: view.view_id })?.page_id : undefined
  return page ?? session?.exit_page_id ?? null
}

export const writeEvent = (tools: Tools, novelty: Novelty, record: EventRecord): 'accepted' | 'repeated' => {
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
  const name = tools.interner.event(day, record.name)
  run(db, addEventQuery, {
    id, session_id: session?.id ?? null, visitor_id: visitor, page_id: pageNumber(tools, day, record, visitor, session),
    name_id: name, value: record.value, order_id: record.orderId,
  })
  addProperties(tools, novelty, day, id, name, record)
  if (eventId !== null) run(db, addRecentQuery, { event_key: eventId, scope: scopeOf(eventId, visitor), event_id: id })
  return 'accepted'
}
