import type { Format, Table } from '../format.ts'
import type { Hit } from '../hits.ts'
import { languageOf, screenOf } from '../names.ts'
import { type Row, RowProblem, secondIn, utmIn } from '../row.ts'
import type { Sink } from '../sink.ts'

/** Columns of a visitor, which the Postgres table of views does not have. */
const visitorColumns = ['browser', 'os', 'device', 'screen', 'language', 'country', 'region', 'city']

const valueIn = (row: Row): unknown =>
  row.get('data_type') === '2' ? Number(row.get('number_value')) : row.get('string_value') || row.get('date_value')

/** The value of a column, of the row itself or of the visitor in the table of sessions. */
const valuesOf = (row: Row, to: Sink): ((column: string) => string) => {
  if (row.raw('browser') !== undefined) return row.get
  const [session] = to.recall('session', row.get('session_id'))
  const values: readonly unknown[] = Array.isArray(session) ? session : []
  return column => String(values[visitorColumns.indexOf(column)] ?? '')
}

const propertiesOf = (row: Row, to: Sink): Record<string, unknown> =>
  Object.fromEntries(
    to.recall('data', row.get('event_id')).flatMap(pair => (Array.isArray(pair) ? [[String(pair[0]), pair[1]]] : [])),
  )

const clickColumns = ['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid']

const hitOf = (row: Row, to: Sink): Hit => {
  const value = valuesOf(row, to)
  const referrer = row.get('referrer_domain')
  return {
    visit: row.get('visit_id') || row.get('session_id'),
    visitor: row.get('session_id'),
    at: secondIn(row, 'created_at', to.sourceZone),
    page: row.get('url_path'),
    query: row.get('url_query'),
    host: row.get('hostname'),
    title: row.get('page_title'),
    source: {
      referrer: referrer === '' ? '' : `https://${referrer}${row.get('referrer_path')}`,
      utm: utmIn(row),
    },
    clickId: clickColumns.find(column => row.get(column) !== '') ?? null,
    place: { country: value('country'), region: value('region'), city: value('city') },
    device: value('device'),
    browser: [value('browser'), ''],
    os: [value('os'), ''],
    screen: screenOf(value('screen')),
    language: languageOf(value('language')),
  }
}

const views: Table = {
  name: 'website_event',
  key: ['session_id', 'created_at', 'url_path'],
  needs: ['event_type'],
  once: ['event_id', 'session_id', 'created_at', 'url_path', 'event_type', 'event_name'],
  read: (row, to) => {
    const type = row.get('event_type')
    if (type === '1') return to.hit(hitOf(row, to))
    if (type === '2')
      return to.hit({ ...hitOf(row, to), event: row.get('event_name'), properties: propertiesOf(row, to) })
    if (!/^[3-9]$/.test(type)) throw new RowProblem('event_type is not a number from 1 to 9')
    to.skip('links, pixels and measurements of performance')
  },
}

export const umami: Format = {
  name: 'umami',
  grain: 'visits',
  tables: [
    {
      name: 'session',
      key: ['session_id', ...visitorColumns.slice(0, 3)],
      without: ['url_path'],
      once: ['session_id'],
      read: (row, to) => to.remember('session', row.get('session_id'), visitorColumns.map(row.get)),
    },
    {
      name: 'event_data',
      key: ['website_event_id', 'data_key', 'string_value'],
      once: ['event_data_id', 'website_event_id', 'data_key'],
      read: (row, to) => to.remember('data', row.get('website_event_id'), [row.get('data_key'), valueIn(row)]),
    },
    views,
  ],
  totals: ['website_event'],
  zone: 'UTC',
  site: 'website_id',
  lacks: ['times'],
  advice:
    'From a database of your own, export with psql:\n' +
    `  \\copy (select e.*, s.browser, s.os, s.device, s.screen, s.language, s.country, s.region, s.city\n` +
    `    from website_event e join session s using (session_id) where e.website_id = '…' order by e.created_at)\n` +
    `    to 'website_event.csv' csv header`,
  remarks: ['A visitor of Umami is known for a month, one here for a day.'],
}
