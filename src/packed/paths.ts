// The paths of the sessions that began on a packed day.
import type { Column, PackedDay } from './format.ts'
import { type Condition, select, selectEvents, selectViews } from './select.ts'

/** One number for all pages of one name. */
type NodeOf = (page: number) => number

/** Views or events of a day, in the order of paths; `id` is a page or a name, and `shown` is null if all are. */
type Source = { session: Column; id: Column; shown: Uint8Array | null }

/**
 * Plain loops over the columns, which are by session and in order. Of an event `isNext` says whether it comes before the
 * next view; `seen` counts the session's views so far.
 */
const createMerge = (
  views: Source,
  events: Source | null,
  nodeOf: NodeOf,
  isNext: (event: number, view: number, seen: number) => boolean,
) => {
  let [view, event] = [0, 0]
  /** Adds what a session did to its path, and returns the length. */
  return (session: number, path: number[], start: number): number => {
    let [length, seen] = [start, 0]
    for (;;) {
      const hasView = views.session[view] === session
      if (events !== null && events.session[event] === session && (!hasView || isNext(event, view, seen))) {
        if (events.shown === null || events.shown[event] === 1) path[length++] = -(events.id[event] ?? 0)
        event += 1
      } else if (hasView) {
        if (views.shown === null || views.shown[view] === 1) path[length++] = nodeOf(views.id[view] ?? 0)
        view += 1
        seen += 1
      } else return length
    }
  }
}

export type PathOptions = { withEvents: boolean; nodeOf: NodeOf }

/**
 * Takes the path of a session: the first `count` of `nodes`, a page by its number, an event by the negative one of its
 * name. `began` and `ended` are true where it begins and ends with the session.
 */
export type TakePath = (nodes: readonly number[], count: number, began: boolean, ended: boolean) => void

/** @param allowed as in `select` */
export const eachPath = (
  day: PackedDay,
  conditions: readonly Condition[],
  allowed: Uint8Array | null,
  { withEvents, nodeOf }: PathOptions,
  take: TakePath,
): void => {
  const { sessions, views, otherDayViews, events, otherDayEvents } = day
  const selected = select(day, conditions, allowed)
  const ofViews = ({ session, page }: { session: Column; page: Column }): Source => ({
    session,
    id: page,
    shown: selectViews(page, conditions),
  })
  const ofEvents = ({ session, name, page }: { session: Column; name: Column; page: Column }): Source | null =>
    withEvents ? { session, id: name, shown: selectEvents(page, conditions) } : null
  const addHere = createMerge(
    ofViews(views),
    ofEvents(events),
    nodeOf,
    (event, _, seen) => (events.view[event] ?? 0) <= seen,
  )
  const addOtherDay = createMerge(
    ofViews(otherDayViews),
    ofEvents(otherDayEvents),
    nodeOf,
    (event, view) => (otherDayEvents.second[event] ?? 0) < (otherDayViews.second[view] ?? 0),
  )
  const path: number[] = []
  for (let session = 0; session < sessions.count; session++) {
    const length = addOtherDay(session, path, addHere(session, path, 0))
    // A session that began on another day is one of that day.
    if (length > 0 && sessions.hour[session] !== 0 && selected.sessions[session] === 1)
      take(path, length, selected.began[session] === 1, selected.ended[session] === 1)
  }
}
