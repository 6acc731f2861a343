// The rollups as an archive carries them: a day's rows with texts as keys.
import * as v from 'valibot'
import { query, type Query } from '../database/query.ts'
import addDimension from '../sql/archive.rollup-dimension.add.sql'
import fetchDimension from '../sql/archive.rollup-dimension.fetch.sql'
import listDimension from '../sql/archive.rollup-dimension.list.sql'
import addEventPage from '../sql/archive.rollup-event-page.add.sql'
import fetchEventPage from '../sql/archive.rollup-event-page.fetch.sql'
import listEventPage from '../sql/archive.rollup-event-page.list.sql'
import addEventProperty from '../sql/archive.rollup-event-property.add.sql'
import fetchEventProperty from '../sql/archive.rollup-event-property.fetch.sql'
import listEventProperty from '../sql/archive.rollup-event-property.list.sql'
import addEvent from '../sql/archive.rollup-event.add.sql'
import fetchEvent from '../sql/archive.rollup-event.fetch.sql'
import listEvent from '../sql/archive.rollup-event.list.sql'
import addFunnel from '../sql/archive.rollup-funnel.add.sql'
import fetchFunnel from '../sql/archive.rollup-funnel.fetch.sql'
import listFunnel from '../sql/archive.rollup-funnel.list.sql'
import addHour from '../sql/archive.rollup-hour.add.sql'
import fetchHour from '../sql/archive.rollup-hour.fetch.sql'
import listHour from '../sql/archive.rollup-hour.list.sql'
import addPage from '../sql/archive.rollup-page.add.sql'
import fetchPage from '../sql/archive.rollup-page.fetch.sql'
import listPage from '../sql/archive.rollup-page.list.sql'
import addSite from '../sql/archive.rollup-site.add.sql'
import fetchSite from '../sql/archive.rollup-site.fetch.sql'
import listSite from '../sql/archive.rollup-site.list.sql'
import addSource from '../sql/archive.rollup-source.add.sql'
import fetchSource from '../sql/archive.rollup-source.fetch.sql'
import listSource from '../sql/archive.rollup-source.list.sql'
import addTitle from '../sql/archive.rollup-title.add.sql'
import fetchTitle from '../sql/archive.rollup-title.fetch.sql'
import listTitle from '../sql/archive.rollup-title.list.sql'
import addUtm from '../sql/archive.rollup-utm.add.sql'
import fetchUtm from '../sql/archive.rollup-utm.fetch.sql'
import listUtm from '../sql/archive.rollup-utm.list.sql'

const text = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const numbers = (...names: string[]): v.ObjectEntries => Object.fromEntries(names.map(name => [name, count]))
const texts = (...names: string[]): v.ObjectEntries => Object.fromEntries(names.map(name => [name, text]))

const period = v.object({ period: v.number() })
const nothing = v.object({})

/** How a rollup's rows of a day are taken to hand, listed, and put to hand again. */
export type RollupRows = {
  /** What a line calls it. */
  table: string
  fetch: Query<typeof period>
  list: Query
  /** Takes numbers in place of the texts that the file's dictionaries have. */
  add: Query
  /** Keys that stand in the file as numbers; those of paths are pages. */
  interned: readonly string[]
  line: v.StrictObjectSchema<v.ObjectEntries, undefined>
}

/** `stored`: what stands in the file for the keys, where that is something else. */
type Parts = {
  keys?: readonly string[]
  interned?: readonly string[]
  stored?: v.ObjectEntries
  figures: v.ObjectEntries
  fetch: string
  list: string
  add: string
}

/** 'path' stands in the file as page_id, 'title' as title_id. */
export const columnOf = (key: string): string => (key === 'path' ? 'page_id' : `${key}_id`)

const rows = (table: string, { keys = [], stored, interned = [], figures, fetch, list, add }: Parts): RollupRows => {
  const keyed = table === 'hour' ? numbers(...keys) : texts(...keys)
  const plain = { ...keyed, ...figures }
  const row = { ...plain, ...texts(...interned) }
  return {
    table,
    interned,
    fetch: query(fetch, period, nothing),
    list: query(list, nothing, v.object(row)),
    add: query(
      add,
      v.object({ period: v.number(), ...(stored ?? keyed), ...figures, ...numbers(...interned.map(columnOf)) }),
      nothing,
    ),
    line: v.strictObject({ type: v.literal('rollup'), day: text, table: v.literal(table), ...row }),
  }
}

const visit = numbers('visitors', 'sessions', 'views', 'bounces')
const totals = { ...visit, ...numbers('seconds') }
const ofPage = {
  ...totals,
  ...numbers('entries', 'entry_visitors', 'exits', 'exit_visitors', 'timed_views', 'scroll_sum', 'scroll_views'),
}
const ofEvent = {
  ...numbers('total', 'visitors', 'sessions', 'last_event_id'),
  value_sum: v.pipe(v.number(), v.finite()),
}

/** One row a rollup. */
export const rollupRows: readonly RollupRows[] = [
  rows('site', { figures: totals, fetch: fetchSite, list: listSite, add: addSite }),
  rows('hour', { keys: ['hour'], figures: totals, fetch: fetchHour, list: listHour, add: addHour }),
  rows('page', { interned: ['path'], figures: ofPage, fetch: fetchPage, list: listPage, add: addPage }),
  rows('title', {
    interned: ['path', 'title'],
    figures: numbers('views'),
    fetch: fetchTitle,
    list: listTitle,
    add: addTitle,
  }),
  rows('source', {
    keys: ['channel', 'source', 'domain'],
    stored: numbers('origin_id'),
    figures: visit,
    fetch: fetchSource,
    list: listSource,
    add: addSource,
  }),
  rows('dimension', {
    keys: ['dimension', 'value', 'within'],
    figures: visit,
    fetch: fetchDimension,
    list: listDimension,
    add: addDimension,
  }),
  rows('utm', {
    keys: ['grouping', 'source', 'medium', 'campaign', 'term', 'content'],
    figures: visit,
    fetch: fetchUtm,
    list: listUtm,
    add: addUtm,
  }),
  rows('event', { interned: ['name'], figures: ofEvent, fetch: fetchEvent, list: listEvent, add: addEvent }),
  rows('event_property', {
    interned: ['name', 'key', 'value'],
    figures: numbers('total'),
    fetch: fetchEventProperty,
    list: listEventProperty,
    add: addEventProperty,
  }),
  rows('event_page', {
    interned: ['name', 'path'],
    figures: numbers('total'),
    fetch: fetchEventPage,
    list: listEventPage,
    add: addEventPage,
  }),
  rows('funnel', {
    keys: ['stage'],
    figures: numbers('sessions'),
    fetch: fetchFunnel,
    list: listFunnel,
    add: addFunnel,
  }),
]
