// Statements that insert an archive's lines unchanged.
import * as v from 'valibot'
import { query } from '../../database/query.ts'
import addEvent from '../../sql/archive.event.add.sql'
import addLedger from '../../sql/archive.ledger.add.sql'
import addProperty from '../../sql/archive.property.add.sql'
import addSession from '../../sql/archive.session.add.sql'
import findSession from '../../sql/archive.session.find.sql'
import addView from '../../sql/archive.view.add.sql'

const nothing = v.object({})
const number = v.number()
const nullable = v.nullable(number)

export const sessionQuery = query(
  addSession,
  v.object({
    id: number,
    visitor_id: number,
    rekeyed_visitor_id: nullable,
    started_at: number,
    ended_at: number,
    views: number,
    events: number,
    entry_page_id: number,
    exit_page_id: number,
    origin_id: number,
    campaign_id: nullable,
    place_id: nullable,
    client_id: number,
    screen_id: nullable,
    language_id: nullable,
    timezone_id: nullable,
    replace: number,
  }),
  nothing,
)
export const findSessionQuery = query(
  findSession,
  v.object({ id: number }),
  v.object({ visitor_id: number, started_at: number, ended_at: number }),
)
export const viewQuery = query(
  addView,
  v.object({
    id: number,
    session_id: number,
    visitor_id: number,
    page_id: number,
    title_id: nullable,
    seconds: nullable,
    scroll: nullable,
  }),
  nothing,
)
export const eventQuery = query(
  addEvent,
  v.object({
    id: number,
    session_id: nullable,
    visitor_id: number,
    page_id: nullable,
    name_id: number,
    value: nullable,
    order_id: v.nullable(v.string()),
  }),
  nothing,
)
export const propertyQuery = query(
  addProperty,
  v.object({ event_id: number, key_id: number, value_id: number }),
  nothing,
)
export const ledgerQuery = query(addLedger, v.object({ day: number, outcome: v.string(), requests: number }), nothing)
