import type { Format } from '../format.ts'
import { languageOf, screenOf } from '../names.ts'
import { isTrue, numberOr, type Row, RowProblem, secondIn, utmIn } from '../row.ts'
import type { Sink } from '../sink.ts'

const metadata = /^metadata\.(.+?)(?:_(?:text|int|bool|date))?$/

const timeColumns = ['added_iso', 'added_unix', 'added_date']

const profileColumns = ['country_code', 'browser_name', 'os_name', 'device_type', 'screen_width', 'lang_language']

/** Without ids of visits, a unique view begins one; the next views from the same kind of browser belong to it. */
const visitOf = (row: Row, to: Sink): string => {
  const id = row.get('session_id')
  if (id !== '') return id
  if (row.get('is_unique') === '') throw new RowProblem('it has neither session_id nor is_unique')
  const profile = profileColumns.map(row.get).join(' ')
  const visit = `${profile} ${row.line}`
  const before = to.recall('visit', profile).at(-1)
  if (typeof before === 'string' && !isTrue(row.get('is_unique'))) return before
  to.remember('visit', profile, visit)
  return visit
}

const propertiesOf = (row: Row): Record<string, string> =>
  Object.fromEntries(
    row.columns.flatMap(column => {
      const [, key] = metadata.exec(column) ?? []
      return key === undefined || row.get(column) === '' ? [] : [[key, row.get(column)]]
    }),
  )

const read = (row: Row, to: Sink): void => {
  const time = timeColumns.find(column => row.get(column) !== '')
  if (time === undefined) throw new RowProblem('it has no time')
  const kind = row.get('datapoint')
  const visit = visitOf(row, to)
  const isEvent = kind !== '' && kind !== 'pageview'
  const language = [row.get('lang_language'), row.get('lang_region')].filter(part => part !== '').join('-')
  to.hit({
    visit,
    visitor: visit,
    at: secondIn(row, time, to.sourceZone),
    page: row.get('path'),
    query: row.get('query').replace(/^\?/, ''),
    host: row.get('hostname'),
    ...(isEvent && { event: kind, properties: propertiesOf(row) }),
    seconds: isEvent ? undefined : numberOr(row.get('duration_seconds')),
    scroll: isEvent ? undefined : numberOr(row.get('scrolled_percentage')),
    source: {
      referrer: row.get('document_referrer') || row.get('referrer_hostname'),
      utm: utmIn(row),
    },
    place: { country: row.get('country_code') },
    device: row.get('device_type'),
    browser: [row.get('browser_name'), row.get('browser_version')],
    os: [row.get('os_name'), row.get('os_version')],
    screen: screenOf(row.get('screen_width')),
    language: languageOf(language),
    isBot: isTrue(row.get('is_robot')),
  })
}

export const simpleAnalytics: Format = {
  name: 'simple-analytics',
  grain: 'visits',
  // With ids of visits, with unique views, or with neither, which is not enough.
  tables: timeColumns.flatMap(time =>
    [['session_id'], ['is_unique'], []].map(more => ({
      name: 'data points',
      key: [time, 'path', ...more],
      needs: more.length > 0 ? [] : ['session_id'],
      once: ['uuid', time, 'session_id', 'path', 'datapoint'],
      read,
    })),
  ),
  totals: ['data points'],
  zone: 'UTC',
  cut: true,
  lacks: [],
  advice:
    'Export data points with the fields added_iso, datapoint, hostname, path, session_id and all others that you need.',
}
