import type { Format, Table } from '../format.ts'
import type { Hit } from '../hits.ts'
import { countOf, dayIn, type Row, RowProblem, secondIn } from '../row.ts'
import type { Sink } from '../sink.ts'

/** Countries that are not known are `000`. */
const placeOf = (row: Row) => ({ country: row.get('location'), region: row.get('region'), city: row.get('city') })

const isBot = (row: Row): boolean => row.get('honeypot') === '1'

const summary = (read: Table['read']): Table => ({
  name: 'summary_totals',
  key: ['date', 'visitors', 'views'],
  only: ['id', 'date', 'visitors', 'views'],
  once: ['date'],
  read,
})

const pages = (read: Table['read']): Table => ({
  name: 'pages',
  key: ['page_id', 'uri', 'date', 'count'],
  once: ['page_id'],
  read,
})

const visitor = (read: Table['read']): Table => ({
  name: 'visitor',
  key: ['id', 'last_counter', 'agent', 'platform'],
  once: ['id'],
  read,
})

/** What is known of a visitor's visits. */
const noteVisitor = (row: Row, to: Sink): void => {
  const visit: Partial<Hit> = {
    source: { referrer: row.get('referred') },
    place: placeOf(row),
    device: row.get('device'),
    browser: [row.get('agent'), row.get('version')],
    os: [row.get('platform'), ''],
    isBot: isBot(row),
  }
  to.remember('visitor', row.get('id'), visit)
}

const isRecord = (value: unknown): value is Partial<Hit> => typeof value === 'object' && value !== null

const view: Table = {
  name: 'visitor_relationships',
  key: ['id', 'visitor_id', 'page_id', 'date'],
  once: ['id'],
  read: (row, to) => {
    const id = row.get('visitor_id')
    const [page] = to.recall('page', row.get('page_id'))
    const [visit] = to.recall('visitor', id)
    if (typeof page !== 'string') throw new RowProblem('its page is not in the table of pages')
    to.hit({
      ...(isRecord(visit) && visit),
      visit: id,
      visitor: id,
      at: secondIn(row, 'date', to.sourceZone),
      page,
    })
  },
}

const advice =
  'Export the tables of the database as CSV: statistics_visitor, statistics_visitor_relationships, statistics_pages and ' +
  'statistics_summary_totals.'

/** With the table of single views. */
export const wpStatistics: Format = {
  name: 'wp-statistics',
  grain: 'visits',
  tables: [
    pages((row, to) => to.remember('page', row.get('page_id'), row.get('uri'))),
    visitor(noteVisitor),
    view,
    summary(() => {}),
  ],
  totals: ['visitor_relationships'],
  lacks: ['times'],
  cut: true,
  advice,
  remarks: ['A visit ends after 30 minutes without a view.'],
}

/** Old installations have no single views. */
export const wpStatisticsSums: Format = {
  name: 'wp-statistics',
  grain: 'sums',
  tables: [
    summary((row, to) =>
      to.site(dayIn(row, 'date'), { visitors: countOf(row, 'visitors'), views: countOf(row, 'views') }),
    ),
    pages((row, to) => to.page(dayIn(row, 'date'), row.get('uri'), { views: countOf(row, 'count') })),
    visitor((row, to) => {
      if (isBot(row)) return to.skip('visitors that filled the honeypot')
      const day = dayIn(row, 'last_counter')
      const one = { visitors: 1, sessions: 1, views: countOf(row, 'hits') }
      to.source(day, { referrer: row.get('referred') }, one)
      to.place(day, placeOf(row), one)
      to.device(day, row.get('device'), one)
      to.browser(day, row.get('agent'), row.get('version'), one)
      to.os(day, row.get('platform'), '', one)
    }),
  ],
  totals: ['summary_totals'],
  lacks: ['hours', 'visits', 'bounces', 'times', 'entry_pages'],
  advice,
  remarks: ['Without the table of single views, visits are visitors.'],
}
