import type { Format, Table } from '../format.ts'
import { countIn, countOf, decimalIn, type Row, secondIn } from '../row.ts'
import type { Sink } from '../sink.ts'

const at = (row: Row, to: Sink) => {
  const second = secondIn(row, 'timestamp', to.sourceZone)
  return { day: to.zone.dayOf(second), hour: to.zone.hourOfDay(second) }
}

const byViews = (
  name: string,
  column: string,
  views: string,
  read: (row: Row, to: Sink, views: number) => void,
): Table => ({
  name,
  key: ['timestamp', column, views],
  once: ['timestamp', ...(name === 'Pages' || name === 'Referrers' ? ['hostname'] : []), column],
  read: (row, to) => read(row, to, countOf(row, views)),
})

export const fathom: Format = {
  name: 'fathom',
  grain: 'sums',
  tables: [
    {
      name: 'Site',
      key: ['timestamp', 'pageviews', 'visits'],
      once: ['timestamp'],
      read: (row, to) => {
        const { day, hour } = at(row, to)
        const sessions = countOf(row, 'visits')
        const figures = {
          sessions,
          visitors: Math.min(countIn(row, 'uniques') ?? sessions, sessions),
          views: countOf(row, 'pageviews'),
          bounces: Math.round(sessions * Math.min(decimalIn(row, 'bounce rate') ?? 0, 1)),
        }
        const seconds = Math.round(sessions * (decimalIn(row, 'avg duration') ?? 0))
        to.site(day, { ...figures, seconds })
        to.hour(day, hour, { ...figures, seconds })
      },
    },
    byViews('Pages', 'pathname', 'views', (row, to, views) => to.page(at(row, to).day, row.get('pathname'), { views })),
    byViews('Referrers', 'referrer hostname', 'views', (row, to, views) =>
      to.source(at(row, to).day, { source: row.get('referrer hostname') }, { views }),
    ),
    byViews('Browsers', 'browser', 'pageviews', (row, to, views) =>
      to.browser(at(row, to).day, row.get('browser'), '', { views }),
    ),
    byViews('Countries', 'country', 'pageviews', (row, to, views) =>
      to.place(at(row, to).day, { country: row.get('country') }, { views }),
    ),
    byViews('DeviceTypes', 'device type', 'pageviews', (row, to, views) =>
      to.device(at(row, to).day, row.get('device type'), { views }),
    ),
    {
      name: 'Events',
      key: ['timestamp', 'event name', 'completions'],
      once: ['timestamp', 'event name'],
      read: (row, to) => to.event(at(row, to).day, row.get('event name'), { total: countOf(row, 'completions') }),
    },
  ],
  totals: ['Site'],
  zone: 'UTC',
  lacks: ['entry_pages'],
  remarks: [
    'Pages, sources, countries, devices and browsers have views only: their visits are shares of the day by views.',
    'Visitors of a day are the sum of its hours.',
  ],
}
