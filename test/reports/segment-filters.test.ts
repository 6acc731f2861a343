// The syntax of filters (lists, negation, escapes, limits), and how far back they can go.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createZone } from '../../src/lib/time.ts'
import { purgeBefore } from '../../src/rollup/purge.ts'
import { sendRecord } from '../support/records.ts'
import { phone, type Running, withService } from '../support/service.ts'

const day = 'from=2026-03-10&to=2026-03-10'
const filterKeys = [
  'page',
  'entry_page',
  'exit_page',
  'channel',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'continent',
  'country',
  'region',
  'city',
  'device',
  'screen',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'language',
  'hour',
  'weekday',
  'event',
]
const reports = [
  '/summary',
  '/sources',
  '/sources?group_by=channel',
  '/pages',
  '/pages/entry',
  '/pages/exit',
  '/utm',
  '/events',
  '/dimensions/country',
  '/dimensions/hour',
  '/dimensions/weekday',
]
const join = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

const viewsOf = async ({ api }: Running, filter: string): Promise<number> =>
  (await api(`/summary?${day}&${filter}`)).body.data.totals.views

const event = ({ service }: Running, name: string, headers: Record<string, string>): Promise<unknown> =>
  sendRecord(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body: JSON.stringify({ name }),
    headers: { 'content-type': 'text/plain', ...headers },
  })

/** Four visits: plain, of a campaign, in German, and one by phone with an event. */
const record = async (running: Running): Promise<void> => {
  const { hit, settled } = running
  await hit({ page_url: '/a,b' }, { 'x-forwarded-for': '10.0.1.1' })
  await hit({ page_url: '/!c?utm_source=News%2C%20Daily&utm_medium=!x' }, { 'x-forwarded-for': '10.0.2.1' })
  await hit({ page_url: '/A', language: 'de-at' }, { 'x-forwarded-for': '81.2.69.142' })
  const byPhone = { 'x-forwarded-for': '10.0.3.1', 'user-agent': phone }
  await hit({ page_url: '/a' }, byPhone)
  await event(running, 'sign!up', byPhone)
  await settled()
}

test('lists, negation and escapes', () =>
  withService({}, async running => {
    await record(running)
    const cases: [filter: string, views: number][] = [
      ['page=/a', 1],
      ['page=/A', 1],
      ['page=/a,/A', 2],
      ['page=/a%5C,b', 1],
      ['page=/a,b', 1],
      ['page=!/a', 3],
      ['page=!/a,/A', 2],
      ['page=/a, /A', 2],
      ['page=%5C!/a', 0],
      ['page=/%5C!c', 1],
      ['page=/!c', 1],
      ['page=/a,!/A', 1],
      ['page=!%5C!x', 4],
      ['page=/nowhere', 0],
      ['entry_page=/a%5C,b,/!c', 2],
      ['exit_page=!/a', 3],
      ['page=/a&entry_page=/A', 0],
      ['utm_source=news%5C, daily', 1],
      ['utm_source=NEWS%5C, DAILY', 1],
      ['utm_source=', 3],
      ['utm_source=!', 1],
      ['utm_medium=%5C!X', 1],
      ['utm_medium=!%5C!x', 3],
      ['utm_campaign=', 4],
      ['country=GB', 1],
      ['country=gb', 1],
      ['country=', 3],
      ['country=!', 1],
      ['country=,gb', 4],
      ['country=!GB', 3],
      ['country=FR', 0],
      ['region=', 4],
      ['city=London', 0],
      ['language=de-AT', 1],
      ['language=DE-at', 1],
      ['language=', 3],
      ['language=!de-AT', 3],
      ['language=de-DE', 1],
      ['language=pt-*', 0],
      ['language=!de-*', 3],
      ['device=mobile', 1],
      ['device=!mobile', 3],
      ['device=Desktop,mobile', 4],
      ['browser=firefox', 3],
      ['browser=', 0],
      ['os=iOS', 1],
      ['os=!ios,linux', 0],
      ['channel=Direct', 3],
      ['channel=direct', 3],
      ['channel=!Direct', 1],
      ['source=news%5C, daily', 1],
      ['source=Direct', 3],
      ['event=sign_up', 1],
      ['event=!sign_up', 3],
      ['event=never', 0],
      ['event=Sign_up', 0],
      ['device=mobile&event=sign_up&page=/a', 1],
      ['device=desktop&event=sign_up', 0],
    ]
    for (const [filter, views] of cases) assert.is(await viewsOf(running, filter), views, filter)
  }))

test('channel on /sources is one of the filters, and reaches as far back as rollups where it is the only one', () =>
  withService({}, async running => {
    await record(running)
    const sourcesOf = async (query: string): Promise<unknown> =>
      (await running.api(`/sources?${day}&${query}`)).body.data.map((row: { source: string; share: number }) => [
        row.source,
        row.share,
      ])
    assert.equal(await sourcesOf('channel=Direct'), [['Direct', 1]])
    assert.equal(await sourcesOf('channel=direct,Referral'), [
      ['Direct', 0.75],
      ['News, Daily', 0.25],
    ])
    assert.equal(await sourcesOf('channel=!Direct'), [['News, Daily', 1]])
    assert.equal(await sourcesOf('channel=Direct&device=mobile'), [['Direct', 1]])
    const grouped = (await running.api(`/sources?${day}&group_by=channel&channel=Referral`)).body.data
    assert.is(grouped.length, 8)
    assert.equal(
      grouped.filter((row: { sessions: number }) => row.sessions > 0).map((row: { channel: string }) => row.channel),
      ['Referral'],
    )
  }))

/** Values of closed lists. */
const closed: Readonly<Record<string, string>> = {
  channel: 'Direct,Email',
  continent: 'EU,Asia',
  country: 'DE,Austria',
  device: 'tv,other',
  language: 'de,German',
  screen: '360-429,1512,390x844',
  hour: '07,8:00',
  weekday: '1,Tuesday',
}

test('invalid filters are rejected by name on every report', () =>
  withService({}, async ({ api }) => {
    const many = (count: number): string => Array.from({ length: count }, (_, index) => `v${index}`).join(',')
    const refusals = (key: string): string[] => [
      `${key}[]=a`,
      `${key}[a]=b`,
      `${key}=${key in closed ? many(2) : many(21)}`,
      `${key}=${'x'.repeat(1025)}`,
      `${key}=!${`${'x'.repeat(900)},`.repeat(10)}x`,
      ...(['page', 'entry_page', 'exit_page', 'channel', 'source', 'device', 'hour', 'weekday', 'event'].includes(key)
        ? [`${key}=`, `${key}=!`, `${key}=a,`]
        : []),
    ]
    for (const [index, key] of filterKeys.entries())
      for (const query of refusals(key)) {
        const report = join(reports[index % reports.length] ?? '', `${day}&${query}`)
        const { status, body } = await api(report)
        assert.is(status, 400, report)
        assert.is(body.code, 'rest_invalid_param', report)
        assert.equal(Object.keys(body.data.params), [key], report)
      }
    for (const report of reports)
      for (const key of filterKeys) {
        const fine = closed[key] ?? many(20)
        assert.is((await api(join(report, `${day}&${key}=${fine}`))).status, 200, `${report} ${key}`)
      }
    assert.is((await api(`/realtime?country[]=DE`)).status, 400, 'no filter there')
  }))

test('the OpenAPI document lists every filter of every report that supports them', () =>
  withService({}, async ({ service }) => {
    const { paths, components } = (await (await fetch(`${service.url}/analytics/v1/openapi.json`)).json()) as any
    const parameterOf = (one: any): any => components.parameters[one.$ref?.split('/').at(-1)] ?? one
    const filtersOf = (path: string): string[] =>
      Object.entries<any>(paths)
        .find(([template]) => template.endsWith(path))?.[1]
        .get.parameters.map(parameterOf)
        .flatMap((one: any) =>
          one.in === 'query' && filterKeys.includes(one.name) && one.description.includes('!') ? [one.name] : [],
        )
    for (const path of [
      '/summary',
      '/sources',
      '/pages',
      '/pages/entry',
      '/pages/exit',
      '/utm',
      '/events',
      '/events/{name}',
      '/dimensions/{type}',
    ])
      assert.equal(filtersOf(path), filterKeys, path)
    assert.equal(filtersOf('/realtime'), [])
  }))

test('a session of many hours is found on each of its days', () =>
  withService({ start: '2026-03-09T14:00:00Z' }, async running => {
    const { clock, hit, settled, api, service } = running
    await hit({ page_url: '/board', pvid: 'the-view-of-the-board' })
    for (; clock.now < Date.parse('2026-03-10T00:20:00Z'); clock.now += 1500_000) {
      await sendRecord(`${service.url}/analytics/v1/engagement`, {
        method: 'POST',
        body: JSON.stringify({ pvid: 'the-view-of-the-board', engagement_time: 60 }),
        headers: {
          'content-type': 'text/plain',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          'x-forwarded-for': '203.0.113.7',
        },
      })
    }
    await hit({ page_url: '/late' })
    await settled()
    for (const filter of ['', '&device=desktop', '&page=/late', '&entry_page=/board']) {
      const { views, sessions, visitors } = (await api(`/summary?${day}${filter}`)).body.data.totals
      assert.equal([views, sessions, visitors], [1, 0, 1], filter)
    }
  }))

test('explain shows the statements of a segment with their parameters', () =>
  withService({}, async running => {
    await record(running)
    const { explain, definitions } = (await running.api(`/pages?from=2026-03-09&to=2026-03-10&country=GB&explain=1`))
      .body.meta
    assert.ok(explain.some(({ params }: { params: { values?: string } }) => params.values === '["gb"]'))
    assert.ok(explain.every(({ plan }: { plan: string[] }) => Array.isArray(plan)))
    assert.ok('visitors' in definitions)
  }))

test('a segment before the first day of raw rows is rejected with that day', () =>
  withService({ start: '2026-03-01T12:00:00Z' }, async running => {
    const { hit, clock, settled, file, api } = running
    for (let count = 0; count < 10; count++) {
      await hit({ page_url: '/a' })
      clock.now += 86_400_000
    }
    await settled()
    const { db } = openDatabase(file)
    await purgeBefore(db, createZone('UTC'), 20260305)
    db.close()
    for (const report of reports) {
      const { status, body } = await api(join(report, 'from=2026-03-04&to=2026-03-10&device=desktop'))
      assert.is(status, 400, report)
      assert.is(body.code, 'rest_invalid_param')
      assert.match(body.data.params.from, '2026-03-05')
      assert.is((await api(join(report, 'from=2026-03-05&to=2026-03-10&device=desktop'))).status, 200, report)
    }
    assert.match(
      (await api('/summary?from=2026-03-06&to=2026-03-10&device=desktop&compare=previous')).body.data.params.compare,
      '2026-03-05',
    )
    assert.is((await api('/summary?from=2026-03-08&to=2026-03-10&device=desktop&compare=previous')).status, 200)
    assert.is((await api('/sources?from=2026-03-01&to=2026-03-10&channel=Direct')).body.data[0].sessions, 10)
  }))

test.run()
