import type { Format, Table } from '../format.ts'
import { countOf, dayIn, type Row, RowProblem } from '../row.ts'
import type { Sink } from '../sink.ts'

/** The text that another table has under a number. */
const textOf = (to: Sink, kind: string, id: string): string => {
  const [text] = to.recall(kind, id)
  if (typeof text !== 'string') throw new RowProblem(`there is no ${kind} with the number ${id}`)
  return text
}

const labels = (name: string, kind: string, column: string): Table => ({
  name,
  key: ['id', column],
  // The pages of GoatCounter.
  without: ['title'],
  once: ['id'],
  read: (row, to) => to.remember(kind, row.get('id'), row.get(column)),
})

const source = (row: Row, to: Sink, visits: string, views: string): void =>
  to.source(
    dayIn(row, 'date'),
    { source: textOf(to, 'referrer', row.get('id')) },
    { sessions: countOf(row, visits), views: countOf(row, views) },
  )

export const koko: Format = {
  name: 'koko',
  grain: 'sums',
  tables: [
    labels('paths', 'path', 'path'),
    labels('referrer_labels', 'referrer', 'value'),
    labels('referrer_urls', 'referrer', 'url'),
    {
      name: 'site_stats',
      key: ['date', 'visitors', 'pageviews'],
      only: ['date', 'visitors', 'pageviews'],
      once: ['date'],
      read: (row, to) =>
        to.site(dayIn(row, 'date'), { visitors: countOf(row, 'visitors'), views: countOf(row, 'pageviews') }),
    },
    {
      name: 'post_stats',
      key: ['date', 'path_id', 'visitors', 'pageviews'],
      once: ['date', 'path_id', 'post_id'],
      read: (row, to) => {
        const visitors = countOf(row, 'visitors')
        to.page(dayIn(row, 'date'), textOf(to, 'path', row.get('path_id')), {
          visitors,
          sessions: visitors,
          views: countOf(row, 'pageviews'),
        })
      },
    },
    {
      name: 'referrer_stats',
      key: ['date', 'id', 'unique_hits', 'hits'],
      once: ['date', 'id'],
      read: (row, to) => source(row, to, 'unique_hits', 'hits'),
    },
    {
      name: 'referrer_stats of Koko 1',
      key: ['date', 'id', 'visitors', 'pageviews'],
      once: ['date', 'id'],
      read: (row, to) => source(row, to, 'visitors', 'pageviews'),
    },
  ],
  totals: ['site_stats'],
  lacks: ['hours', 'visits', 'bounces', 'times', 'entry_pages', 'places', 'devices'],
  remarks: ['Koko counts no visits: those here are its visitors.', 'Visits without a referrer count as Direct.'],
}
