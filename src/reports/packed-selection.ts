// Selects the sessions and views of a packed day that belong to a segment.
import { markIds } from '../goals/steps.ts'
import { sessionColumns, type Column, type PackedDay } from '../rollup/packed-format.ts'
import type { SegmentNumbers } from './messages.ts'
import type { Selection } from './packed-traffic.ts'

/**
 * `accepts` is 1 at the ids that a filter lists. A value matches if its id is listed or, if `included` is 0, if it is
 * not.
 */
export type Condition = { filter: string; accepts: Uint8Array; included: number }

/** The host of each page, by its id. */
export type PageHosts = Readonly<Uint32Array>

/**
 * @param pageHosts needed for the hosts of a segment: pages are of one each, so that a host is the list of its pages
 */
export const conditionsOf = ({ slots, events }: SegmentNumbers, pageHosts: PageHosts | null): Condition[] => [
  ...Object.entries(slots).map(([filter, { included, ids }]) => {
    if (filter === 'host' && pageHosts !== null) {
      const listed = new Set(ids)
      const accepts = Uint8Array.from(pageHosts, host => Number(listed.has(host) === included))
      // Nobody knows the host of an event without a page.
      accepts[0] = 0
      return { filter, accepts, included: 1 }
    }
    return { filter, accepts: markIds(ids), included: Number(included) }
  }),
  ...events.map(({ included, names }) => ({
    filter: 'event',
    accepts: markIds(names ?? []),
    included: Number(included),
  })),
]

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

/** The values that match a condition and are of the selected hosts. */
const ofHosts = (condition: Condition, host: Condition | undefined, pages: Column): Uint8Array => {
  const matches = matching(condition, pages)
  if (host !== undefined) intersect(matches, matching(host, pages))
  return matches
}

/** The views of pages that filters of pages and hosts select; null if all are. */
export const selectViews = (pages: Column, conditions: readonly Condition[]): Uint8Array | null => {
  const host = conditions.find(({ filter }) => filter === 'host')
  const page = conditions.find(({ filter }) => filter === 'page')
  if (page !== undefined) return ofHosts(page, host, pages)
  return host === undefined ? null : matching(host, pages)
}

/** 1 for each session that holds one of the events on any day, or none of them. */
const holding = (
  { sessions, events, otherDayEvents }: PackedDay,
  { accepts, included }: Condition,
  host: Condition | undefined,
): Uint8Array => {
  const marks = new Uint8Array(sessions.count).fill(1 - included)
  for (const { count, session, name, page } of [events, otherDayEvents])
    for (let index = 0; index < count; index++) {
      if (accepts[name[index] ?? 0] !== 1 || (host !== undefined && host.accepts[page[index] ?? 0] !== host.included))
        continue
      const own = session[index] ?? sessions.count
      if (own < sessions.count) marks[own] = included
    }
  return marks
}

const pageColumns: readonly string[] = ['entry_page', 'exit_page']

/**
 * Session filters select sessions with all their views. The page filter selects views, and the sessions that have such
 * a view on any day. The host filter selects views, and whether the begin and the end of a session count; together with
 * it the filters of pages mean pages of these hosts.
 * @param reached 1 for each session that a filter by goals selects; null without one
 */
export const select = (day: PackedDay, conditions: readonly Condition[], reached: Uint8Array | null): Selection => {
  const { sessions, views, otherDayViews } = day
  const host = conditions.find(({ filter }) => filter === 'host')
  const selected = reached?.slice() ?? new Uint8Array(sessions.count).fill(1)
  let selectedViews = host === undefined ? null : matching(host, views.page)
  for (const condition of conditions) {
    const { filter } = condition
    if (filter === 'host') continue
    if (filter === 'event') {
      intersect(selected, holding(day, condition, host))
      continue
    }
    if (filter === 'page') {
      selectedViews = ofHosts(condition, host, views.page)
      const viewed = new Uint8Array(sessions.count)
      markSessions(viewed, views.session, selectedViews)
      markSessions(viewed, otherDayViews.session, ofHosts(condition, host, otherDayViews.page))
      intersect(selected, viewed)
      continue
    }
    const column = sessionColumns.find(name => name === filter)
    if (column === undefined) throw new Error(`no session has ${filter}`)
    intersect(selected, ofHosts(condition, pageColumns.includes(column) ? host : undefined, sessions[column]))
  }
  const began = selected.slice()
  for (let session = 0; session < began.length; session++) if (sessions.hour[session] === 0) began[session] = 0
  if (host === undefined) return { sessions: selected, views: selectedViews, began, ended: began }
  const ended = began.slice()
  intersect(began, matching(host, sessions.entry_page))
  intersect(ended, matching(host, sessions.exit_page))
  return { sessions: selected, views: selectedViews, began, ended }
}
