import * as v from 'valibot'
import { query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { trust } from '../../rollup/suspects.ts'
import sqlText from '../../sql/write-event.sql'
import type { EventRecord } from '../record.ts'
import { noteClaim } from './claims.ts'
import type { EventNames } from './event-names.ts'
import type { Session } from './sessions.ts'
import { extend, findView, type WriterDeps } from './write-hit.ts'

const sql = statements(sqlText)

const nullable = v.nullable(v.number())
const addEventQuery = query(
  sql('event.add'),
  v.object({
    id: v.number(),
    session_id: nullable,
    visitor_id: v.number(),
    page_id: nullable,
    name_id: v.number(),
    value: nullable,
    order_id: v.nullable(v.string()),
  }),
)
const addPropertyQuery = query(
  sql('event-property.add'),
  v.object({ event_id: v.number(), key_id: v.number(), value_id: v.number() }),
)

/** Not an interaction, so it does not end a bounce. */
export const notFound = 'not_found'

const addProperties = (
  { db }: WriterDeps,
  names: EventNames,
  { event, name }: { event: number; name: number },
  properties: EventRecord['properties'],
): void => {
  for (const [keyText, text] of properties) {
    const key = names.key(name, keyText)
    run(db, addPropertyQuery, { event_id: event, key_id: key, value_id: names.value(name, key, text) })
  }
}

/** The page of an event: its own, else that of its view, else the session's last one. */
const pageIdOf = (
  deps: WriterDeps,
  record: EventRecord,
  visitor: number,
  session: Session | undefined,
): number | null => {
  if (record.page !== null) return deps.interner.page(record.page, record.host)
  const view = record.pvid === null ? undefined : findView(deps, record.pvid, visitor)
  return view?.page_id ?? session?.exit_page_id ?? null
}

export const writeEvent = (deps: WriterDeps, names: EventNames, record: EventRecord): 'accepted' | 'repeated' => {
  const { db, zone, recentIds } = deps
  const visitor = deps.visitors.identify(record, true) ?? 0
  const { eventId, at } = record
  if (eventId !== null && recentIds.find('event', eventId, visitor) !== undefined) return 'repeated'

  const day = zone.dayOf(at)
  const session = deps.sessions.find(visitor, at)
  if (session !== undefined) {
    extend(deps, session, at, false)
    if (record.name !== notFound) session.events += 1
  }
  deps.changes.day(day)
  const id = deps.eventIds.next(at)
  const name = names.name(record.name)
  run(db, addEventQuery, {
    id,
    session_id: session?.id ?? null,
    visitor_id: visitor,
    page_id: pageIdOf(deps, record, visitor, session),
    name_id: name,
    value: record.value,
    order_id: record.orderId,
  })
  addProperties(deps, names, { event: id, name }, record.properties)
  if (record.name === 'purchase' && session !== undefined && trust(db, session.id)) deps.changes.whole()
  noteClaim(db, { id, session: session?.id ?? null, name: record.name, orderId: record.orderId })
  deps.changes.event(id)
  if (eventId !== null) recentIds.add('event', eventId, visitor, id)
  return 'accepted'
}
