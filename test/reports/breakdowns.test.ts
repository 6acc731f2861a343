// Breakdowns end to end: hits sent over HTTP are reported by dimension, source, campaign and event.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sendRecord } from '../support/records.ts'
import { phone, type Running, withService } from '../support/service.ts'

const day = 'from=2026-03-10&to=2026-03-10'
const long = (name: string): string => `${name}-0123456789abcdef`

const send = (
  { service }: Running,
  route: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<number> =>
  sendRecord(`${service.url}/analytics/v1/${route}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'text/plain', 'user-agent': phone, 'x-forwarded-for': '81.2.69.142', ...headers },
  }).then(({ status }) => status)

/** Three visits: a search on a desktop (two views), a campaign on a phone, and one without any origin. */
const visits = async (running: Running): Promise<void> => {
  const { hit, clock } = running
  const search = { 'x-forwarded-for': '203.0.113.7' }
  await hit(
    {
      page_url: 'https://shop.example/',
      referrer: 'https://www.google.com/',
      language: 'de-de',
      screen_width: 1920,
      screen_height: 1080,
      pvid: long('view-1'),
    },
    search,
  )
  clock.now += 60_000
  await hit(
    {
      page_url: 'https://shop.example/cart',
      referrer: 'https://shop.example/',
      language: 'de-DE',
      pvid: long('view-2'),
    },
    search,
  )
  await send(running, 'hit', {
    page_url: '/?utm_source=Spring&utm_medium=email&utm_campaign=Sale',
    pvid: long('view-3'),
    timezone: 'Europe/London', // As older trackers and other senders send it.
  })
  await hit({ page_url: '/cart' }, { 'x-forwarded-for': '198.51.100.3' })
  await send(running, 'event', {
    name: 'sign up!',
    pvid: long('view-3'),
    event_id: long('event-1'),
    value: 2.5,
    properties: { plan: 'pro', seats: 3 },
  })
  await send(running, 'event', {
    event_name: 'sign up!',
    pvid: long('view-3'),
    event_id: long('event-2'),
    properties: { plan: 'free' },
  })
  await send(running, 'engagement', { pvid: long('view-3'), engagement_time: 40, scroll_depth: 80 })
  await send(running, 'engagement', { pvid: long('view-3'), engagement_time: 30, scroll_depth: 90 })
  await running.settled()
}

const sum = (rows: { sessions: number }[]): number => rows.reduce((all, row) => all + row.sessions, 0)

test('every breakdown adds up to the summary', () =>
  withService({}, async running => {
    await visits(running)
    const { api } = running
    const { totals } = (await api(`/summary?${day}`)).body.data
    assert.equal(totals, {
      visitors: 3,
      sessions: 3,
      views: 4,
      bounces: 1,
      total_duration: 40,
      bounce_rate: 0.3333,
      views_per_session: 1.33,
      avg_session_duration: 13,
    })
    const types = [
      'country',
      'regions',
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
    ]
    for (const type of types) assert.is(sum((await api(`/dimensions/${type}?${day}`)).body.data), 3, type)
    assert.is(sum((await api(`/sources?${day}`)).body.data), 3)
    assert.is(sum((await api(`/pages/entry?${day}`)).body.data), 3)
    assert.is(sum((await api(`/pages/exit?${day}`)).body.data), 3)
    const hours = (await api(`/summary?${day}&interval=hour`)).body.data
    assert.is(hours.series.length, 24)
    assert.is(sum(hours.series), 3)
  }))

test('dimensions show keys and names', () =>
  withService({}, async running => {
    await visits(running)
    const { api } = running
    const countries = (await api(`/dimensions/countries?${day}`, { headers: { 'accept-language': 'fr' } })).body.data
    assert.equal(countries.map((row: { key: string }) => row.key).sort(), ['AU', 'GB'])
    assert.is(
      (await api(`/dimensions/country?${day}&lang=de`)).body.data.find((row: { key: string }) => row.key === 'GB').name,
      'Vereinigtes Königreich',
    )
    assert.equal(
      (await api(`/dimensions/language?${day}`)).body.data.map((row: { key: string }) => row.key),
      [null, 'de'],
    )
    assert.equal(
      (await api(`/dimensions/hour?${day}`)).body.data.map((row: { key: string; name: string }) => [row.key, row.name]),
      [['12', '12:00']],
    )
    assert.equal(
      (await api(`/dimensions/weekday?${day}`)).body.data.map((row: { key: string; name: string }) => [
        row.key,
        row.name,
      ]),
      [['2', 'Tuesday']],
    )
    assert.is((await api('/dimensions/colour')).status, 400)
  }))

test('sources and campaigns', () =>
  withService({}, async running => {
    await visits(running)
    const { api } = running
    assert.equal(
      (await api(`/sources?${day}`)).body.data.map(
        (row: { channel: string; source: string; domain: string | null }) => [row.channel, row.source, row.domain],
      ),
      [
        ['Direct', 'Direct', null],
        ['Email', 'Spring', null],
        ['Organic Search', 'Google', 'google.com'],
      ],
    )
    const channels = (await api(`/sources?${day}&group_by=channel`)).body.data
    assert.is(channels.length, 8)
    assert.is(channels.find((row: { channel: string }) => row.channel === 'Email').sources[0].source, 'Spring')
    await send(
      running,
      'hit',
      { page_url: '/?utm_source=SPRING&utm_medium=Email' },
      { 'x-forwarded-for': '198.51.100.77' },
    )
    await running.settled()
    const sources = (await api(`/utm?${day}&group_by=source`)).body.data
    assert.equal(sources, [{ utm_source: 'Spring', visitors: 2, sessions: 2, views: 2, bounces: 1 }])
    assert.equal(
      (await api(`/utm?${day}`)).body.data.map((row: { utm_campaign: string | null }) => row.utm_campaign),
      [null, 'Sale'],
    )
    assert.is((await api(`/utm?${day}&group_by=colour`)).status, 400)
  }))

test('events with their properties and pages', () =>
  withService({}, async running => {
    await visits(running)
    const { api } = running
    assert.equal((await api(`/events?${day}`)).body.data, [
      { name: 'sign up_', total: 2, visitors: 1, sessions: 1, value_sum: 2.5, last_seen: '2026-03-10T12:01:00Z' },
    ])
    const { data } = (await api(`/events/sign%20up_?${day}`)).body
    assert.equal(data.properties, [
      {
        key: 'plan',
        total: 2,
        values: [
          { value: 'free', total: 1 },
          { value: 'pro', total: 1 },
        ],
      },
      { key: 'seats', total: 1, values: [{ value: '3', total: 1 }] },
    ])
    assert.equal(data.pages, [{ page: '/', total: 2 }])
    assert.equal(data.series, [{ date: '2026-03-10', total: 2 }])
    const never = await api('/events/never')
    assert.is(never.status, 404)
    assert.is(never.body.code, 'rest_event_not_found')
  }))

test('a channel lists its ten largest sources, and counts all of them', () =>
  withService({}, async running => {
    const { hit, api, settled } = running
    // Twelve sources; the later ones have more sessions.
    for (let source = 1; source <= 12; source++)
      for (let visitor = 0; visitor < Math.ceil(source / 4); visitor++)
        await hit(
          { page_url: '/', referrer: `https://site-${String(source).padStart(2, '0')}.example/` },
          { 'x-forwarded-for': `10.${visitor}.${source}.1` },
        )
    await settled()
    const { data } = (await api(`/sources?${day}&group_by=channel`)).body
    const referral = data.find(({ channel }: { channel: string }) => channel === 'Referral')
    assert.equal(
      referral.sources.map(({ domain, sessions }: { domain: string; sessions: number }) => [domain, sessions]),
      [
        ['site-09.example', 3],
        ['site-10.example', 3],
        ['site-11.example', 3],
        ['site-12.example', 3],
        ['site-05.example', 2],
        ['site-06.example', 2],
        ['site-07.example', 2],
        ['site-08.example', 2],
        ['site-01.example', 1],
        ['site-02.example', 1],
      ],
    )
    assert.is(referral.sessions, 24)
  }))

test('every list reports its length on each page, also beyond its end', () =>
  withService({}, async running => {
    const { hit, api, settled } = running
    for (const [index, page] of ['/one', '/two', '/three'].entries())
      await hit(
        {
          page_url: `${page}?utm_source=letter-${index}`,
          referrer: `https://site-${index}.example/`,
          language: `d${'efg'[index]}`,
        },
        { 'x-forwarded-for': `10.0.${index}.1` },
      )
    for (const name of ['first', 'second', 'third'])
      await send(running, 'event', { name, page_url: '/one' }, { 'x-forwarded-for': '10.0.0.1' })
    await settled()
    const lists = ['/pages', '/pages/entry', '/pages/exit', '/sources', '/utm', '/events', '/dimensions/language']
    for (const list of lists) {
      const pages = [0, 2, 3, 4, 90].map(async offset => {
        const { body, headers } = await api(`${list}?${day}&limit=2&offset=${offset}`)
        return [offset, body.data.length, headers.get('x-wp-total'), headers.get('x-wp-totalpages')]
      })
      assert.equal(
        await Promise.all(pages),
        [
          [0, 2, '3', '2'],
          [2, 1, '3', '2'],
          [3, 0, '3', '2'],
          [4, 0, '3', '2'],
          [90, 0, '3', '2'],
        ],
        list,
      )
    }
    const { headers } = await api(`/pages?${day}&search=nowhere&limit=2&offset=2`)
    assert.is(headers.get('x-wp-total'), '0')
  }))

test.run()
