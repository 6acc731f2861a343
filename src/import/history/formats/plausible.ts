import type { Format, Table } from '../format.ts'
import { countIn, countOf, dayIn, firstCount, type Row, utmIn } from '../row.ts'
import type { Figures } from '../sums.ts'

const figuresOf = (row: Row): Figures => ({
  visitors: countOf(row, 'visitors'),
  sessions: countOf(row, 'visits'),
  views: countIn(row, 'pageviews'),
  bounces: countIn(row, 'bounces'),
})

const visitors: Table = {
  name: 'visitors',
  key: ['date', 'visitors', 'pageviews', 'bounces', 'visits'],
  without: ['source', 'page', 'entry_page', 'exit_page', 'name', 'country', 'device', 'browser', 'operating_system'],
  once: ['date'],
  read: (row, to) => to.site(dayIn(row, 'date'), { ...figuresOf(row), seconds: countIn(row, 'visit_duration') ?? 0 }),
}

/** A table of visits by a dimension. */
const breakdown = (name: string, column: string, more: readonly string[], read: Table['read']): Table => ({
  name,
  key: ['date', column, 'visitors'],
  needs: ['visits'],
  once: ['date', column, ...more],
  read,
})

const pages: Table = {
  name: 'pages',
  key: ['date', 'page', 'visitors'],
  needs: ['pageviews'],
  once: ['date', 'hostname', 'page'],
  read: (row, to) => {
    const visitors = countOf(row, 'visitors')
    to.page(dayIn(row, 'date'), row.get('page'), {
      visitors,
      sessions: countIn(row, 'visits') ?? visitors,
      views: countOf(row, 'pageviews'),
      seconds: firstCount(row, 'total_time_on_page', 'time_on_page') ?? 0,
      timed_views: countIn(row, 'total_time_on_page_visits') ?? 0,
      scroll_sum: firstCount(row, 'total_scroll_depth', 'scroll_depth') ?? 0,
      scroll_views: firstCount(row, 'total_scroll_depth_visits', 'pageleave_visitors') ?? 0,
    })
  },
}

const entryPages: Table = {
  name: 'entry_pages',
  key: ['date', 'entry_page', 'entrances'],
  once: ['date', 'entry_page'],
  read: (row, to) =>
    to.page(dayIn(row, 'date'), row.get('entry_page'), {
      entries: countOf(row, 'entrances'),
      entry_visitors: countOf(row, 'visitors'),
      bounces: countIn(row, 'bounces') ?? 0,
    }),
}

const exitPages: Table = {
  name: 'exit_pages',
  key: ['date', 'exit_page', 'exits'],
  once: ['date', 'exit_page'],
  read: (row, to) =>
    to.page(dayIn(row, 'date'), row.get('exit_page'), {
      exits: countOf(row, 'exits'),
      exit_visitors: countOf(row, 'visitors'),
    }),
}

const customEvents: Table = {
  name: 'custom_events',
  key: ['date', 'name', 'events'],
  needs: ['visitors'],
  once: ['date', 'name', 'link_url', 'path'],
  read: (row, to) => {
    const [name, url, path] = [row.get('name'), row.get('link_url'), row.get('path')]
    // Plausible's own measure of time and scrolling.
    if (name === 'engagement') return to.skip('engagement events')
    const figures = { total: countOf(row, 'events'), visitors: countOf(row, 'visitors') }
    to.event(dayIn(row, 'date'), name, figures, {
      page: path,
      properties: { ...(url !== '' && { url }), ...(path !== '' && { path }) },
    })
  },
}

const customProps: Table = {
  name: 'custom_props',
  key: ['date', 'property', 'value', 'events'],
  once: ['date', 'property', 'value'],
  read: (row, to) => {
    dayIn(row, 'date')
    to.skip('properties, which do not name their event')
  },
}

export const plausible: Format = {
  name: 'plausible',
  grain: 'sums',
  tables: [
    visitors,
    breakdown(
      'sources',
      'source',
      ['referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
      (row, to) =>
        to.source(
          dayIn(row, 'date'),
          { source: row.get('source'), referrer: row.get('referrer'), utm: utmIn(row) },
          figuresOf(row),
        ),
    ),
    pages,
    entryPages,
    exitPages,
    customEvents,
    customProps,
    breakdown('locations', 'country', ['region', 'city'], (row, to) =>
      to.place(dayIn(row, 'date'), { country: row.get('country'), region: row.get('region') }, figuresOf(row)),
    ),
    breakdown('devices', 'device', [], (row, to) => to.device(dayIn(row, 'date'), row.get('device'), figuresOf(row))),
    breakdown('browsers', 'browser', ['browser_version'], (row, to) =>
      to.browser(dayIn(row, 'date'), row.get('browser'), row.get('browser_version'), figuresOf(row)),
    ),
    breakdown('operating_systems', 'operating_system', ['operating_system_version'], (row, to) =>
      to.os(dayIn(row, 'date'), row.get('operating_system'), row.get('operating_system_version'), figuresOf(row)),
    ),
  ],
  totals: ['visitors'],
  lacks: ['hours'],
  advice: 'Export all tables: Site settings, Imports & Exports, Export to CSV.',
  remarks: [
    'Cities are numbers in this export and stay unknown.',
    'The time of a day is that on its pages where the export has it, else that of its visits.',
  ],
}
