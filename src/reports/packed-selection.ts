// Selects the sessions and views of a packed day that belong to a segment.
import { sessionColumns, type Column, type PackedDay } from '../rollup/packed-format.ts'
import type { SegmentNumbers } from './messages.ts'
import type { Selection } from './packed-traffic.ts'

/**
 * `accepts` is 1 at the ids that a filter lists. A value matches if its id is listed or, if `included` is 0, if it is
 * not.
 */
export type Condition = { filter: string; accepts: Uint8Array; included: number }

export const conditionsOf = ({ slots }: SegmentNumbers): Condition[] =>
  Object.entries(slots).map(([filter, { included, ids }]) => {
    const accepts = new Uint8Array(ids.reduce((size, id) => Math.max(size, id + 1), 0))
    for (const id of ids) accepts[id] = 1
    return { filter, accepts, included: Number(included) }
  })

// Plain loops: array methods take ten times as long.

/** 1 for each value that matches. */
const matching = ({ accepts, included }: Condition, values: Column): Uint8Array => {
  const matches = new Uint8Array(values.length)
  for (let index = 0; index < values.length; index++)
    if ((accepts[values[index] ?? 0] ?? 0) === included) matches[index] = 1
  return matches
}

/** Sets each session with a selected view to 1. */
const markSessions = (marks: Uint8Array, session: Column, views: Uint8Array): void => {
  for (let index = 0; index < views.length; index++) if (views[index] === 1) marks[session[index] ?? 0] = 1
}

/** Intersects a selection with another one, in place. */
const intersect = (marks: Uint8Array, others: Uint8Array): void => {
  for (let index = 0; index < marks.length; index++) if (others[index] === 0) marks[index] = 0
}

/**
 * Session filters select sessions with all their views. The page filter selects views, and the sessions that have such
 * a view on any day.
 */
export const select = ({ sessions, views, otherDayViews }: PackedDay, conditions: readonly Condition[]): Selection => {
  const selected = new Uint8Array(sessions.count).fill(1)
  let selectedViews: Uint8Array | null = null
  for (const condition of conditions) {
    if (condition.filter === 'page') {
      selectedViews = matching(condition, views.page)
      const viewed = new Uint8Array(sessions.count)
      markSessions(viewed, views.session, selectedViews)
      markSessions(viewed, otherDayViews.session, matching(condition, otherDayViews.page))
      intersect(selected, viewed)
      continue
    }
    const column = sessionColumns.find(name => name === condition.filter)
    if (column === undefined) throw new Error(`no session has ${condition.filter}`)
    intersect(selected, matching(condition, sessions[column]))
  }
  return { sessions: selected, views: selectedViews }
}
