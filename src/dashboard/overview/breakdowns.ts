// The breakdowns of the overview and of revenue, as data.
import type { App } from '../app/app-context.ts'
import type { TextKey } from '../app/texts.ts'
import { type Breakdown, type Column, type Row, type Sign, text } from './breakdown.ts'
import { orderBreakdowns } from './order-breakdowns.ts'

const count = (key: TextKey): Column => ({ key, kind: 'count', label: key })
const share: Column = { key: 'share', kind: 'percent', label: 'share' }
const bounces = { ...count('bounces'), lowerIsBetter: true as const }
type Columns = Breakdown['columns']
const counts: Columns = [count('sessions'), count('visitors'), count('views'), bounces]
const usual: Columns = [...counts, share]

const flag = (key: string): Sign => ({ kind: 'flag', key })
const letter: Sign = { kind: 'letter', key: 'key' }

const title = (row: Row): string | null => text(row, 'title')

const dimension = (panel: string, id: string, label: TextKey, overrides: Partial<Breakdown> = {}): Breakdown => ({
  id,
  panel,
  label,
  path: `/dimensions/${id}`,
  key: 'key',
  name: (row, { t }) => text(row, 'name') ?? text(row, 'key') ?? t('unknown'),
  columns: usual,
  empty: 'empty_range',
  ...overrides,
})

const campaign = (id: 'source' | 'medium' | 'campaign', label: TextKey): Breakdown => ({
  id: `utm_${id}`,
  panel: 'sources',
  label,
  path: '/utm',
  params: { group_by: id },
  key: `utm_${id}`,
  filter: `utm_${id}`,
  name: (row, { t }) => text(row, `utm_${id}`) ?? t('unknown'),
  columns: counts,
  empty: 'empty_campaigns',
})

const inCountry = (row: Row, { f }: Pick<App, 'f'>): string | null => {
  const code = text(row, 'country')
  return code === null ? null : f.country(code)
}

const pageList = (
  id: string,
  label: TextKey,
  path: string,
  filter: 'page' | 'entry_page' | 'exit_page',
  columns: Columns,
): Breakdown => ({
  id,
  panel: 'pages',
  label,
  path,
  ofPages: true,
  key: 'page',
  filter,
  name: row => text(row, 'page') ?? '',
  note: title,
  empty: 'empty_range',
  columns,
})

export const breakdowns: readonly Breakdown[] = [
  dimension('sources', 'channel', 'channels', {
    filter: 'channel',
    name: (row, { t }) => t.maybe(`channel_${text(row, 'key')}`, text(row, 'key') ?? ''),
  }),
  {
    id: 'source',
    panel: 'sources',
    label: 'sources',
    path: '/sources',
    params: { group_by: 'source' },
    deeper: { group_by: 'domain' },
    key: ['source', 'channel', 'domain'],
    sign: { kind: 'letter', key: 'source' },
    filter: 'source',
    name: (row, { t }) =>
      text(row, 'domain') === null && text(row, 'channel') === 'Direct'
        ? t.maybe('channel_Direct', 'Direct')
        : ((row.domains === undefined ? text(row, 'domain') : null) ?? text(row, 'source') ?? ''),
    note: (row, { t }) => (text(row, 'channel') === 'Direct' ? null : t.maybe(`channel_${text(row, 'channel')}`, '')),
    columns: usual,
    empty: 'empty_range',
  },
  campaign('campaign', 'campaigns'),
  pageList('page', 'top_pages', '/pages', 'page', [
    count('views'),
    count('visitors'),
    count('sessions'),
    count('entries'),
    count('exits'),
    bounces,
    { key: 'avg_time_on_page', kind: 'seconds', label: 'avg_time_on_page' },
    { key: 'avg_scroll_depth', kind: 'points', label: 'avg_scroll_depth' },
    share,
  ]),
  pageList('entry', 'entry_pages', '/pages/entry', 'entry_page', [
    count('sessions'),
    count('visitors'),
    bounces,
    { key: 'bounce_rate', kind: 'percent', label: 'bounce_rate', lowerIsBetter: true },
    share,
  ]),
  pageList('exit', 'exit_pages', '/pages/exit', 'exit_page', [
    count('sessions'),
    count('visitors'),
    { key: 'exit_rate', kind: 'percent', label: 'exit_rate', lowerIsBetter: true },
    share,
  ]),
  dimension('pages', 'host', 'hosts', { filter: 'host' }),
  dimension('places', 'country', 'countries', { filter: 'country', sign: flag('key'), empty: 'empty_countries' }),
  dimension('places', 'region', 'regions', {
    filter: 'region',
    sign: flag('country'),
    note: inCountry,
    empty: 'empty_cities',
  }),
  dimension('places', 'city', 'cities', {
    filter: 'city',
    sign: flag('country'),
    note: inCountry,
    empty: 'empty_cities',
  }),
  dimension('places', 'language', 'languages', { filter: 'language' }),
  dimension('devices', 'device', 'devices', {
    filter: 'device',
    name: (row, { t }) => t.maybe(`device_${text(row, 'key')}`, text(row, 'key') ?? t('unknown')),
  }),
  dimension('devices', 'browser', 'browsers', { filter: 'browser', sign: letter }),
  dimension('devices', 'os', 'systems', { filter: 'os', sign: letter }),
  dimension('devices', 'screen', 'screens'),
  campaign('source', 'utm_sources'),
  campaign('medium', 'utm_mediums'),
  {
    id: 'event',
    panel: 'events',
    label: 'events',
    path: '/events',
    key: 'name',
    filter: 'event',
    name: row => text(row, 'name') ?? '',
    empty: 'empty_events',
    beside: ['visitors'],
    columns: [
      count('total'),
      count('visitors'),
      count('sessions'),
      { key: 'value_sum', kind: 'fine', label: 'value_sum' },
    ],
  },
]

export const breakdownOf = (id: string | null): Breakdown | undefined =>
  [...breakdowns, ...orderBreakdowns].find(one => one.id === id)
