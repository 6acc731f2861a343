// Statements that insert an archive's lines unchanged.
import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import sqlText from '../../sql/import-archive-rows.sql'

const sql = statements(sqlText)

const number = v.number()
const nullable = v.nullable(number)

export const sessionQuery = query(
  sql('archive.session.add'),
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
    evidence: number,
    suspect: number,
    replace: number,
  }),
)
export const findSessionQuery = query(
  sql('archive.session.find'),
  v.object({ id: number }),
  v.object({ visitor_id: number, started_at: number, ended_at: number }),
)
export const viewQuery = query(
  sql('archive.view.add'),
  v.object({
    id: number,
    session_id: number,
    visitor_id: number,
    page_id: number,
    title_id: nullable,
    seconds: nullable,
    scroll: nullable,
  }),
)
export const eventQuery = query(
  sql('archive.event.add'),
  v.object({
    id: number,
    session_id: nullable,
    visitor_id: number,
    page_id: nullable,
    name_id: number,
    value: nullable,
    order_id: v.nullable(v.string()),
  }),
)
export const propertyQuery = query(
  sql('archive.property.add'),
  v.object({ event_id: number, key_id: number, value_id: number }),
)
export const ledgerQuery = query(
  sql('archive.ledger.add'),
  v.object({ day: number, outcome: v.string(), requests: number }),
)
