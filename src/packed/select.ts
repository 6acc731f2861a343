// Selects the sessions and views of a packed day that belong to a segment.
import * as v from 'valibot'
import { type Db, iterate, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { markIds } from '../lib/marks.ts'
import sqlText from '../sql/packed-select.sql'
import { type Column, type PackedDay, sessionColumns } from './format.ts'

const sql = statements(sqlText)

type NumberSet = { included: boolean; ids: readonly number[] }

/** Filters in numbers; see SegmentNumbers. */
export type PackedFilters = {
  slots: { readonly host?: NumberSet; readonly [slot: string]: NumberSet }
  events: readonly {
    included: boolean
    names: readonly number[] | null
    properties: readonly object[]
    hosts: NumberSet | null
    pages: NumberSet | null
  }[]
  hours: readonly number[] | null
  weekdays: readonly number[] | null
}

/** Whether packed days can be filtered: they hold no properties, and of earlier days' sessions they do not know the hour. */
export const canFilter = ({ events, hours, weekdays }: PackedFilters): boolean =>
  events.every(({ names, properties }) => names !== null && properties.length === 0) &&
  hours === null &&
  weekdays === null

/**
 * `accepts` is 1 at the ids that a filter lists. A value matches if its id is listed or, if `included` is 0, if it is
 * not. `on` is what the pages must match on which events count; without it they count on all.
 */
type Accepted = { accepts: Uint8Array; included: number }
export type Condition = Accepted & { filter: string; on?: readonly Accepted[] }

/** The host of each page, by its id. */
export type PageHosts = Readonly<Uint32Array>

const pageHostsQuery = query(sql('segment.page-hosts'), none, v.object({ id: v.number(), host_id: v.number() }))

export const readPageHosts = (db: Db): PageHosts => {
  const hosts: number[] = []
  for (const { id, host_id } of iterate(db, pageHostsQuery, {})) hosts[id] = host_id
  return Uint32Array.from(hosts, host => host ?? 0)
}

/** 1 at each page of the hosts: pages are of one each, so that a host is the list of its pages. */
const pagesOf = ({ included, ids }: NumberSet, pageHosts: PageHosts): Uint8Array => {
  const listed = new Set(ids)
  const accepts = Uint8Array.from(pageHosts, host => Number(listed.has(host) === included))
  // Nobody knows the host of an event without a page.
  accepts[0] = 0
  return accepts
}

/** @param pageHosts null if nothing is filtered by hosts */
export const conditionsOf = (
  { slots, events }: Pick<PackedFilters, 'slots' | 'events'>,
  pageHosts: PageHosts | null,
): Condition[] => [
  ...Object.entries(slots).map(([filter, { included, ids }]) => {
    if (filter === 'host' && pageHosts !== null)
      return { filter, accepts: pagesOf({ included, ids }, pageHosts), included: 1 }
    return { filter, accepts: markIds(ids), included: Number(included) }
  }),
  ...events.map(({ included, names, hosts, pages }) => ({
    filter: 'event',
    accepts: markIds(names ?? []),
    included: Number(included),
    on: [
      ...(hosts === null || pageHosts === null ? [] : [{ accepts: pagesOf(hosts, pageHosts), included: 1 }]),
      ...(pages === null ? [] : [{ accepts: markIds(pages.ids), included: Number(pages.included) }]),
    ],
  })),
]

/**
 * 1 for each selected session and view; `views` is null if all views of the selected sessions count. `began` and `ended`
 * are 1 for each session whose begin and end count: of a session that only came from or went to another host they do not.
 */
export type Selection = {
  sessions: Uint8Array
  views: Uint8Array | null
  began: Uint8Array
  ended: Uint8Array
  /** 1 for each page of the selected hosts; null for all. */
  pages: Uint8Array | null
  /** Whether all of the day is selected, events outside of sessions included. */
  whole: boolean
}

/** Uses a day with what is selected of it. */
export type UseDay = (packed: PackedDay, selection: Selection) => void

/** Whether a view of a session is selected. */
export const isSelected = ({ sessions, views }: Selection, session: number, view: number): boolean =>
  sessions[session] === 1 && (views === null || views[view] === 1)

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

/** The events on pages that fixed filters show; null if all are. */
export const selectEvents = (pages: Column, conditions: readonly Condition[]): Uint8Array | null => {
  const host = conditions.find(({ filter }) => filter === 'host')
  const page = conditions.find(({ filter }) => filter === 'event_page')
  if (page !== undefined) return ofHosts(page, host, pages)
  return host === undefined ? null : matching(host, pages)
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
  { accepts, included, on = [] }: Condition,
): Uint8Array => {
  const marks = new Uint8Array(sessions.count).fill(1 - included)
  for (const { count, session, name, page } of [events, otherDayEvents])
    for (let index = 0; index < count; index++) {
      const at = page[index] ?? 0
      if (accepts[name[index] ?? 0] !== 1 || !on.every(shown => (shown.accepts[at] ?? 0) === shown.included)) continue
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
 * @param allowed 1 for each session that a filter by goals selects; null without one
 */
export const select = (day: PackedDay, conditions: readonly Condition[], allowed: Uint8Array | null): Selection => {
  const { sessions, views, otherDayViews } = day
  const host = conditions.find(({ filter }) => filter === 'host')
  const selected = allowed?.slice() ?? new Uint8Array(sessions.count).fill(1)
  let selectedViews = host === undefined ? null : matching(host, views.page)
  for (const condition of conditions) {
    const { filter } = condition
    if (filter === 'host' || filter === 'event_page') continue
    if (filter === 'event') {
      intersect(selected, holding(day, condition))
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
  const selection = { sessions: selected, views: selectedViews, pages: host?.accepts ?? null }
  if (host === undefined)
    return { ...selection, began, ended: began, whole: conditions.length === 0 && allowed === null }
  const ended = began.slice()
  intersect(began, matching(host, sessions.entry_page))
  intersect(ended, matching(host, sessions.exit_page))
  return { ...selection, began, ended, whole: false }
}
