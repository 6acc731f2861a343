// Segment reports, compared with unfiltered reports and with a model of the contract.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { expect, type Filters, makeVisits, queryOf, sendVisits, zone } from '../model/segments.ts'
import { checkAsync } from '../support/property.ts'
import { keepService, type Running } from '../support/service.ts'

const days = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']
const visits = makeVisits()
const rangeOf = ([first, last]: readonly [number, number]): string => `from=${days[first]}&to=${days[last]}`
const whole = rangeOf([0, 4])

const dimensions = [
  'country',
  'region',
  'city',
  'continent',
  'language',
  'device',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'screen',
  'channel',
  'hour',
  'weekday',
  'host',
]
const groupings = [
  'source',
  'medium',
  'campaign',
  'term',
  'content',
  'source,medium',
  'source,medium,campaign',
  'source,medium,campaign,term,content',
]
const reports = [
  ...['hour', 'day', 'week', 'month'].map(interval => `/summary?interval=${interval}&compare=previous`),
  '/summary?compare=year',
  '/sources?',
  '/sources?limit=3&offset=1',
  '/sources?group_by=channel',
  '/pages?',
  '/pages?search=a',
  '/pages?by=path',
  '/pages?by=host&search=blog',
  '/pages/entry?',
  '/pages/exit?by=path',
  '/events?',
  '/events/signup?',
  ...groupings.map(grouping => `/utm?group_by=${grouping}`),
  ...dimensions.map(type => `/dimensions/${type}?`),
]
const addressOf = (report: string, range: string, filters = ''): string =>
  `${report}&${range}${filters}`.replace('?&', '?')

/** One service shared by all read-only tests. */
let shared: Running

const service = keepService({ start: '2026-03-27T00:00:00Z', flags: { timezone: zone } }, async running => {
  shared = running
  await sendVisits(running, visits)
})
test.before(service.open)
test.after(service.close)

const dataOf = async (path: string): Promise<any> => {
  const { status, body } = await shared.api(path)
  assert.is(status, 200, `${path} ${JSON.stringify(body)}`)
  return body.data
}

test('a filter that matches everything changes nothing', async () => {
  const everything = [
    '&device=desktop,mobile,tablet,tv,other',
    '&property.plan=!never&screen=!1x1&hour=!02',
    '&weekday=1,2,3,4,5,6,7&page=*&source=*',
    '&page=!/nowhere',
    '&host=!nowhere.example',
    '&host=*',
    '&host=WWW.shop.example:443,blog.*',
    '&event=!never',
    '&country=!AQ&utm_source=!x',
    '&language=,de-de,FR',
    '&entry_page=!/nowhere&exit_page=/,/a,/b,/c%5C,d,%5C!e,/!e',
  ]
  for (const range of [whole, rangeOf([1, 1]), rangeOf([2, 3])])
    for (const [index, report] of reports.entries()) {
      const filters = everything[index % everything.length] ?? ''
      assert.equal(
        await dataOf(addressOf(report, range, filters)),
        await dataOf(addressOf(report, range)),
        `${report} ${range} ${filters}`,
      )
    }
})

const values: Record<string, readonly string[]> = {
  host: ['shop.example', 'www.BLOG.example', 'b*', '*.example', 'nowhere.example'],
  page: ['/', '/a', '/b', '/c,d', '/!e', '/nowhere', '/*', '*d', '/c*', 'blog.example/a', 'shop.example/*'],
  entry_page: ['/', '/a', '/!e', '/*e', 'shop.example/'],
  exit_page: ['/', '/b', '/c,d', '*a'],
  channel: ['Direct', 'email', 'Referral', 'Organic Search'],
  source: ['Google', 'spring', 'Direct', 'news.example', '*G'],
  utm_source: ['SPRING', '', 'x', 's*'],
  utm_term: ['shoes', '', '*oes'],
  continent: ['eu', 'AS', ''],
  utm_medium: ['Email', ''],
  utm_campaign: ['sale', ''],
  country: ['gb', 'DE', ''],
  device: ['desktop', 'mobile', 'tv'],
  browser: ['Firefox', 'Safari', ''],
  os: ['linux', 'iOS'],
  browser_version: ['firefox 140', 'Safari 18', ''],
  screen: ['768-1023', ''],
  hour: ['12', '13', '01', '03', '04', '23'],
  weekday: ['5', '6', '7', '1'],
  language: ['de', 'fr', ''],
  event: ['signup', 'download', 'not_found', 'never', 'sign*'],
  'property.plan': ['pro', 'free', 'never'],
}
const filterOf = (key: string) =>
  fc.record({
    included: fc.boolean(),
    values: fc.uniqueArray(fc.constantFrom(...(values[key] ?? [])), { minLength: 1, maxLength: 3 }),
  })
const filters: fc.Arbitrary<Filters> = fc
  .uniqueArray(fc.constantFrom(...Object.keys(values)), { minLength: 1, maxLength: 3 })
  .chain(keys => fc.record(Object.fromEntries(keys.map(key => [key, filterOf(key)]))))
const range = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
  .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])

const pick = (row: any, like: object): object => Object.fromEntries(Object.keys(like).map(key => [key, row?.[key]]))
const hold = (
  rows: readonly any[],
  keyOf: (row: any) => string | null,
  model: ReadonlyMap<string | null, object>,
  about: string,
): void => {
  assert.equal(rows.map(keyOf).map(String).sort(), [...model.keys()].map(String).sort(), about)
  for (const row of rows)
    assert.equal(pick(row, model.get(keyOf(row)) ?? {}), model.get(keyOf(row)), `${about} ${keyOf(row)}`)
}
const sum = (rows: readonly any[], key: string): number => rows.reduce((all, row) => all + row[key], 0)

test('segments follow the contract in every report', () =>
  checkAsync(
    fc.asyncProperty(filters, range, async (chosen, [first, last]) => {
      const query = queryOf(chosen)
      const range = rangeOf([first, last])
      const model = expect(visits, chosen, days.slice(first, last + 1))
      const { totals, series } = await dataOf(`/summary?${range}${query}`)
      assert.equal(pick(totals, model.totals), model.totals, query)
      for (const metric of Object.keys(model.totals))
        assert.is(sum(series, metric), totals[metric], `${metric} ${query}`)
      hold(await dataOf(`/pages?${range}${query}`), row => row.page, model.pages, `/pages ${query}`)
      hold(
        await dataOf(`/sources?${range}${query}`),
        row => row.source,
        model.by(({ dims }) => dims.source),
        `/sources ${query}`,
      )
      for (const type of ['browser', 'country', 'language'] as const) {
        const rows = await dataOf(`/dimensions/${type}?${range}${query}`)
        hold(
          rows,
          row => row.key,
          model.by(({ dims }) => dims[type]),
          `${type} ${query}`,
        )
        for (const metric of ['sessions', 'views', 'bounces'])
          assert.is(sum(rows, metric), totals[metric], `${type} ${metric} ${query}`)
      }
      hold(await dataOf(`/dimensions/host?${range}${query}`), row => row.key, model.byHost, `host ${query}`)
      hold(await dataOf(`/events?${range}${query}`), row => row.name, model.events, `/events ${query}`)
      assert.is(sum(await dataOf(`/pages/entry?${range}${query}`), 'sessions'), totals.sessions, `entries ${query}`)
      assert.is(sum(await dataOf(`/pages/exit?${range}${query}`), 'sessions'), model.exits, `exits ${query}`)
    }),
    { numRuns: 80, seed: 20261121 },
  ))

/** What sessions are known by, which all of a session's views share. */
const ofSessions = ['channel', 'country', 'device', 'hour', 'language', 'screen', 'source', 'utm_source', 'weekday']

test('the figures of the hosts add up to those of all, but for visitors', () =>
  checkAsync(
    fc.asyncProperty(
      fc
        .subarray(ofSessions, { maxLength: 2 })
        .chain(keys => fc.record(Object.fromEntries(keys.map(key => [key, filterOf(key)])))),
      range,
      async (chosen, [first, last]) => {
        const query = `${rangeOf([first, last])}${queryOf(chosen)}`
        const hosts = ['shop.example', 'blog.example']
        const added = async (report: string, keyOf: (row: any) => string, metrics: readonly string[]) => {
          const all = await dataOf(`${report}?${query}`)
          const parts = await Promise.all(hosts.map(host => dataOf(`${report}?${query}&host=${host}`)))
          const rows = (data: any): any[] => (Array.isArray(data) ? data : [data.totals])
          for (const metric of metrics) {
            const sumOf = (found: any[], key: string): number =>
              sum(
                found.filter(row => keyOf(row) === key),
                metric,
              )
            const keys = new Set([...rows(all), ...parts.flatMap(rows)].map(keyOf))
            for (const key of keys)
              assert.is(
                sumOf(parts.flatMap(rows), key),
                sumOf(rows(all), key),
                `${metric} of ${key} in ${report} ${query}`,
              )
          }
        }
        await added('/summary', () => 'all', ['sessions', 'views', 'bounces', 'total_duration'])
        await added('/dimensions/host', row => row.key, ['visitors', 'sessions', 'views', 'bounces'])
        await added('/dimensions/country', row => String(row.key), ['sessions', 'views', 'bounces'])
        await added('/sources', row => row.source, ['sessions', 'views', 'bounces'])
        await added('/pages', row => row.page, ['visitors', 'sessions', 'views', 'entries', 'exits', 'bounces'])
        await added('/pages/exit', row => row.page, ['sessions', 'visitors'])
        await added('/events', row => row.name, ['total'])
      },
    ),
    { numRuns: 25, seed: 20261124 },
  ))

test.run()
