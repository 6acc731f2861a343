import * as v from 'valibot'

const nullable = v.nullable(v.number())

/** A row of `session`. */
export const sessionRow = v.object({
  id: v.number(),
  visitor_id: v.number(),
  rekeyed_visitor_id: nullable,
  started_at: v.number(),
  ended_at: v.number(),
  views: v.number(),
  events: v.number(),
  entry_page_id: v.number(),
  exit_page_id: v.number(),
  origin_id: v.number(),
  campaign_id: nullable,
  place_id: nullable,
  client_id: v.number(),
  screen_id: nullable,
  language_id: nullable,
  timezone_id: nullable,
})

/** The columns of a session, and the ids of its first and last view, for comparison with late views. */
export type NewSession = Omit<v.InferOutput<typeof sessionRow>, 'id'> & {
  entry_view_id: number
  exit_view_id: number
  seen_at: number
}

/** A session in memory. */
export type Session = NewSession & { id: number }

/** A current visit: its visitor and the last page. */
export type ActiveVisit = { visitor: number; page: number }

/** The maximum gap within one session, in seconds. */
export const sessionGap = 30 * 60

/** The visitor that a session currently belongs to. */
export const currentVisitor = (session: Session): number => session.rekeyed_visitor_id ?? session.visitor_id

/** Seconds between a time and the session. */
const distance = (session: Session, at: number): number => Math.max(session.started_at - at, at - session.ended_at, 0)

/** Whether a record of this time belongs to the session. */
export const isWithin = (session: Session, at: number): boolean => distance(session, at) <= sessionGap

/** Whether a record belongs to `one` rather than `other`: the nearer, then the later, then the one opened first. */
export const isNearer = (one: Session, other: Session, at: number): boolean =>
  (distance(one, at) - distance(other, at) || other.started_at - one.started_at || one.id - other.id) < 0
