import { hintsOf, parseAgent } from '../../../collection/enrich/agent.ts'
import type { Format, Table } from '../format.ts'
import type { Hit } from '../hits.ts'
import { screenOf } from '../names.ts'
import { isTrue, type Row, secondIn } from '../row.ts'
import type { Sink } from '../sink.ts'

/** Their names for what has no address: `Google` and `Email` are understood as names, campaigns as tags. */
const sourceOf = (row: Row): Hit['source'] => {
  const [referrer, scheme] = [row.get('referrer'), row.get('referrer scheme')]
  if (referrer === '') return {}
  if (scheme === 'h') return { referrer: `https://${referrer.replace(/^https?:\/\//, '')}` }
  return scheme === 'c' ? { utm: { source: referrer } } : { source: referrer }
}

const placeOf = (row: Row): Hit['place'] => {
  const [country = '', region = ''] = row.get('location').split('-')
  return { country, region }
}

/** Version 1 has the whole user agent, which is looked at and not kept. */
const clientOf = (row: Row, isAgent: boolean): Pick<Hit, 'browser' | 'os' | 'device'> => {
  const [width = 0] = row.get('screen size').split(',').map(Number)
  if (isAgent) {
    const { device, browser, browserVersion, os, osVersion } = parseAgent(row.get('browser'), hintsOf(new Map()))
    return { device, browser: [browser ?? '', browserVersion ?? ''], os: [os ?? '', osVersion ?? ''] }
  }
  // Their own classes of widths.
  const device = width === 0 ? '' : width < 768 ? 'mobile' : width < 1200 ? 'tablet' : 'desktop'
  return { device, browser: [row.get('browser'), ''], os: [row.get('system'), ''] }
}

const read =
  (version: 1 | 2) =>
  (row: Row, to: Sink): void => {
    const path = row.get(`${version}path`)
    const session = row.get('session')
    const [width = ''] = row.get('screen size').split(',')
    const event = isTrue(row.get('event'))
    to.hit({
      visit: session,
      visitor: session,
      at: secondIn(row, 'date', to.sourceZone),
      ...(event ? { event: path.replace(/^\//, '') } : { page: path, title: row.get('title') }),
      source: sourceOf(row),
      place: placeOf(row),
      ...clientOf(row, version === 1),
      screen: screenOf(width),
      isBot: row.get('bot') !== '' && row.get('bot') !== '0',
    })
  }

const table = (version: 1 | 2): Table => ({
  name: `CSV of version ${version}`,
  key: [`${version}path`, 'session', 'date'],
  // It has no ids of rows: two exports that overlap have the same cells.
  once: [`${version}path`, 'session', 'date', 'event', 'referrer'],
  needs: ['event', 'bot', 'referrer', 'referrer scheme', 'browser', 'location'],
  read: read(version),
})

export const goatcounter: Format = {
  name: 'goatcounter',
  grain: 'visits',
  tables: [table(2), table(1)],
  totals: ['CSV of version 2', 'CSV of version 1'],
  zone: 'UTC',
  lacks: ['times'],
  cut: true,
  explain: columns =>
    columns.includes('hour') && columns.includes('ref_id')
      ? 'the JSON of GoatCounter has no visits: export the CSV'
      : null,
  advice: 'Export the CSV: Settings, Export. It needs "Individual pageviews" in the settings of data collection.',
  remarks: [
    'GoatCounter shows as visits the first views of pages in a visit; here a visit is one, and all views count.',
    'Devices are those of the width of the screen.',
  ],
}
