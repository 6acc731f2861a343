import * as v from 'valibot'

const nullable = v.nullable(v.number())

/** A session as the file has it. */
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

/** How a session waits to be written: as a new row, as one with other values, as one that goes on, or as one that goes on and must not wait. */
export type Wait = 'opened' | 'altered' | 'grown' | 'hurried'

/** What a session's row has beside its id, with the ids of its first and last view, by which late records know whether they come before. */
export type NewSession = Omit<v.InferOutput<typeof sessionRow>, 'id'> & {
  entry_view_id: number
  exit_view_id: number
  seen_at: number
}

/** A session at hand. `slot`: its place in the table; `gone`: its visitor has it no more. */
export type Session = NewSession & { id: number; readonly slot: number; waits: Wait | null; gone: boolean }

/** A visit under way: its visitor, and the page that was seen last. */
export type Active = { visitor: number; page: number }

/** The longest pause within one session, in seconds. */
export const sessionGap = 30 * 60

/** The visitor that a session has now. */
export const currentVisitor = (session: Session): number => session.rekeyed_visitor_id ?? session.visitor_id

/** Seconds from a moment to the session. */
export const distance = (session: Session, second: number): number =>
  Math.max(session.started_at - second, second - session.ended_at, 0)

/** Whether a record of this moment belongs to the session. */
export const isWithin = (session: Session, second: number): boolean => distance(session, second) <= sessionGap
