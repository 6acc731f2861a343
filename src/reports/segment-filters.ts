// Loads what a segment selects into the temporary tables that its statements read.
import * as v from 'valibot'
import { type Db, get, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Run } from '../database/trace.ts'
import { type Day, eachDay, weekday, type Zone } from '../lib/time.ts'
import sqlText from '../sql/segment-filters.sql'
import type { SegmentNumbers } from './messages.ts'

const sql = statements(sqlText)

const count = v.number()
const addFilterQuery = query(sql('segment.filter.add'), v.object({ filter: v.string(), included: count }))
const addValuesQuery = query(sql('segment.filter-value.add'), v.object({ filter: v.string(), ids: v.string() }))
const addPropertiesQuery = query(
  sql('segment.filter-property.add'),
  v.object({ filter: count, key: v.string(), ids: v.string() }),
)
const addTimesQuery = query(sql('segment.filter-time.add'), v.object({ times: v.string() }))
const hostPagesQuery = query(sql('segment.host-page.fill'))
const earliestQuery = query(
  sql('segment.earliest-session'),
  v.object({ start: count }),
  v.object({ earliest: v.nullable(count) }),
)
const byEventQuery = query(
  sql('segment.by-event'),
  v.object({
    since: count,
    filter: count,
    names: v.string(),
    any_name: count,
    hosts: v.string(),
    pages: v.string(),
    any_page: count,
    pages_included: count,
    any_host: count,
    hosts_included: count,
    properties: count,
    included: count,
  }),
)

/** The names of an event filter among the filters' values. */
const namesOf = (filter: number): string => `event ${filter}`
const pagesOf = (filter: number): string => `pages of event ${filter}`
const hostsOf = (filter: number): string => `hosts of event ${filter}`

/** Loads the numbers that filters compare. */
export const loadNumbers = ({ slots, events }: SegmentNumbers, run: Run): void => {
  for (const [filter, { included, ids }] of Object.entries(slots)) {
    run(addFilterQuery, { filter, included: Number(included) })
    run(addValuesQuery, { filter, ids: JSON.stringify(ids) })
  }
  if (slots.host !== undefined) run(hostPagesQuery, {})
  events.forEach(({ names, properties, hosts, pages }, filter) => {
    run(addValuesQuery, { filter: namesOf(filter), ids: JSON.stringify(names ?? []) })
    run(addValuesQuery, { filter: pagesOf(filter), ids: JSON.stringify(pages?.ids ?? []) })
    run(addValuesQuery, { filter: hostsOf(filter), ids: JSON.stringify(hosts?.ids ?? []) })
    for (const { key, values } of properties) run(addPropertiesQuery, { filter, key, ids: JSON.stringify(values) })
  })
}

/** Limits the sessions to those with the given ids. */
export const loadSessionIds = (ids: readonly number[], run: Run): void => {
  run(addFilterQuery, { filter: 'session', included: 1 })
  run(addValuesQuery, { filter: 'session', ids: JSON.stringify(ids) })
}

/** Removes the sessions since a time (in seconds) that lack the selected events. */
export const removeByEvents = ({ events }: SegmentNumbers, since: number, run: Run): void => {
  events.forEach(({ names, properties, hosts, pages, included }, filter) => {
    run(byEventQuery, {
      since,
      filter,
      names: namesOf(filter),
      any_name: Number(names === null),
      hosts: hostsOf(filter),
      pages: pagesOf(filter),
      any_page: Number(pages === null),
      pages_included: Number(pages?.included ?? false),
      any_host: Number(hosts === null),
      hosts_included: Number(hosts?.included ?? false),
      properties: properties.length,
      included: Number(included),
    })
  })
}

/** Sessions of more than six hours are found by an index of their own. */
const usualLength = 21_600

/** When sessions that count on these days can have begun at selected hours and weekdays. */
const timesOf = ({ hours, weekdays }: SegmentNumbers, zone: Zone, days: readonly Day[]): [number, number][] => {
  const times: [number, number][] = []
  for (const day of days) {
    if (weekdays?.includes(weekday(day)) === false) continue
    for (const { start, end } of zone.hoursOf(day)) {
      if (hours?.includes(zone.hourOf(start)) === false) continue
      const last = times.at(-1)
      if (last?.[1] === start) last[1] = end
      else times.push([start, end])
    }
  }
  return times
}

/** Loads the times at which selected sessions of the days began. Days are in order. */
export const loadTimes = (db: Db, numbers: SegmentNumbers, zone: Zone, days: readonly Day[], run: Run): void => {
  const [first, last] = [days[0], days.at(-1)]
  if ((numbers.hours === null && numbers.weekdays === null) || first === undefined || last === undefined) return
  const start = zone.startOf(first)
  const earliest = get(db, earliestQuery, { start })?.earliest ?? start
  const from = zone.dayOf(Math.min(start - usualLength, earliest))
  run(addFilterQuery, { filter: 'time', included: 1 })
  run(addTimesQuery, { times: JSON.stringify(timesOf(numbers, zone, eachDay(from, last))) })
}
