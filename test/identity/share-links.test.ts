// Shared links: what they open (reports about visits), what stays shut (everything else), and their filters.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { endpoints } from '../../src/endpoints/index.ts'
import { auditOf } from '../support/audit.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-10&to=2026-03-10'
const json = { 'content-type': 'application/json' }

const make = async ({ api }: Running, link: object): Promise<any> => {
  const { status, body } = await api('/share-links', { method: 'POST', body: JSON.stringify(link), headers: json })
  assert.is(status, 201, JSON.stringify(body))
  return body
}
const open = ({ api }: Running, body: object) =>
  api('/share-links/open', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...json, 'x-forwarded-for': '203.0.113.9' },
    as: 'nobody',
  })
const ask = ({ api }: Running, path: string, token: string, method = 'GET') =>
  api(path, { method, as: 'nobody', headers: { 'x-footfall-share': token } })

const record = async ({ hit, settled }: Running): Promise<void> => {
  // Of fewer visits a link shows no rows.
  for (const visitor of [1, 2, 3]) {
    await hit({ page_url: '/a' }, { 'x-forwarded-for': `10.0.1${visitor}.1` })
    await hit({ page_url: '/b' }, { 'x-forwarded-for': `10.0.2${visitor}.1`, 'user-agent': phone })
  }
  await settled()
}

const filled = (path: string): string =>
  path.replace(':name', 'signup').replace(':type', 'country').replace(':key', 'browser').replace(/:\w+/g, '1')

test('a link opens the reports about visits, and nothing else', () =>
  withService({}, async running => {
    await record(running)
    const { token } = await make(running, { name: 'For the board' })
    for (const { method, path, can, shared, servedBy } of endpoints) {
      // A batch is open to whoever is known, and its requests to whom each of them is.
      if (can === 'public' || can === 'identified' || servedBy !== undefined) continue
      const { status, body } = await ask(running, `${filled(path)}?${range}`, token, method)
      // Goals and annotations need a link that was made so.
      if (shared === undefined || shared === 'goals' || shared === 'annotations')
        assert.equal([status, body?.code], [403, 'rest_forbidden'], `${method} ${path}`)
      else assert.ok(status === 200 || path === '/events/:name', `${method} ${path} ${status}`)
    }
    const inside = await running.api('/batch', {
      method: 'POST',
      as: 'nobody',
      headers: { 'x-footfall-share': token, 'content-type': 'application/json' },
      body: JSON.stringify({ requests: [{ path: '/users' }, { path: `/pages?${range}` }] }),
    })
    assert.equal(
      inside.body.responses?.map(({ status }: { status: number }) => status),
      [403, 200],
    )
    const open = endpoints
      .filter(({ shared }) => shared === 'always' || shared === 'unfiltered')
      .map(({ path }) => path)
      .sort()
    assert.equal(open, [
      '/dimensions/:type',
      '/dimensions/weekday/hour',
      '/events',
      '/events/:name',
      '/filters/:key',
      '/now',
      '/pages',
      '/pages/entry',
      '/pages/exit',
      '/paths',
      '/realtime',
      '/sites',
      '/sources',
      '/summary',
      '/utm',
    ])
    assert.is((await ask(running, `/pages?${range}`, 'no-such-token')).status, 401)
    assert.is((await ask(running, '/session', token, 'DELETE')).status, 401)
  }))

test('its filters hold whatever is asked', () =>
  withService({}, async running => {
    await record(running)
    const { token, filters } = await make(running, { name: 'Phones', filters: { device: 'mobile' } })
    assert.equal(filters, { device: 'mobile' })
    const pagesOf = async (query: string): Promise<string[]> =>
      (await ask(running, `/pages?${range}${query}`, token)).body.data.map(({ page }: { page: string }) => page)
    assert.equal(await pagesOf(''), ['/b'])
    assert.equal(await pagesOf('&device=desktop'), [])
    assert.equal(await pagesOf('&device=!mobile&until=23:59'), [])
    assert.equal(await pagesOf('&device=mobile,desktop'), ['/b'])
    assert.equal(await pagesOf('&page=/a'), [])
    for (const { path, shared } of endpoints) {
      if (shared !== 'always') continue
      const [mine, all] = await Promise.all([
        ask(running, `${filled(path)}?${range}&device=!tablet`, token),
        running.api(`${filled(path)}?${range}&device=mobile`),
      ])
      assert.equal(mine.body.data, all.body.data, path)
    }
    assert.is((await ask(running, '/realtime', token)).status, 403)
  }))

test('a link shows no statements: their row counts are those of all visits', () =>
  withService({}, async running => {
    await record(running)
    for (const filters of [{}, { device: 'mobile' }]) {
      const { token } = await make(running, { name: 'Phones', filters })
      for (const { path, shared, query } of endpoints) {
        if (shared !== 'always' && (shared !== 'unfiltered' || 'device' in filters)) continue
        if (query?.entries.explain === undefined) continue
        const address = `${filled(path)}?${range}&explain=`
        const { status, body } = await ask(running, `${address}1`, token)
        assert.equal([status, body.code, body.data.status], [403, 'rest_forbidden', 403], path)
        const { status: plain, body: answer } = await ask(running, `${address}0`, token)
        assert.ok(plain === 200 || answer.code === 'rest_event_not_found', path)
      }
    }
    assert.ok((await running.api(`/pages?${range}&explain=1`)).body.meta.explain.length > 0)
  }))

test('an event outside what a link shows answers like one that never existed', () =>
  withService({}, async running => {
    await record(running)
    const event = (name: string, headers: Record<string, string>) =>
      sendRecord(`${running.service.url}/analytics/v1/event`, {
        method: 'POST',
        body: JSON.stringify({ name }),
        headers: { ...json, 'user-agent': firefox, ...headers },
      })
    for (const visitor of [1, 2, 3]) {
      await event('outside', { 'x-forwarded-for': `10.0.1${visitor}.1` })
      await event('inside', { 'x-forwarded-for': `10.0.2${visitor}.1`, 'user-agent': phone })
    }
    await running.settled()
    const { token } = await make(running, { name: 'Phones', filters: { device: 'mobile' } })
    const events = (await ask(running, `/events?${range}`, token)).body.data
    assert.equal(
      events.map(({ name }: { name: string }) => name),
      ['inside'],
    )
    const detail = (name: string, query = range) => ask(running, `/events/${name}?${query}`, token)
    assert.is((await detail('inside')).body.data.total, 3)
    const [outside, unknown] = [await detail('outside'), await detail('unknown')]
    assert.is(outside.status, 404)
    assert.equal([outside.status, outside.body], [unknown.status, unknown.body])
    const names = ({ headers }: typeof outside): string[] => [...headers.keys()].sort()
    assert.equal(names(outside), names(unknown))
    for (const query of [`${range}&device=desktop`, `${range}&page=/a`, 'from=2026-03-01&to=2026-03-09', 'from=x'])
      assert.equal((await detail('outside', query)).body, (await detail('unknown', query)).body, query)
    // Others see that it exists, whatever the filter.
    assert.is((await running.api(`/events/outside?${range}&device=mobile`)).body.data.total, 0)
    const { token: everything } = await make(running, { name: 'All' })
    assert.is((await ask(running, `/events/outside?${range}`, everything)).body.data.total, 3)
  }))

test('a link with a password asks for it', () =>
  withService({}, async running => {
    await record(running)
    const { token, has_password } = await make(running, { name: 'Guarded', password: 'between us only' })
    assert.is(has_password, true)
    assert.is((await ask(running, `/pages?${range}`, token)).status, 401)
    assert.equal(
      [(await open(running, { token })).body.code, (await open(running, { token, password: 'another one' })).body.code],
      ['rest_share_locked', 'rest_share_locked'],
    )
    const { name, key } = (await open(running, { token, password: 'between us only' })).body
    assert.is(name, 'Guarded')
    assert.is((await ask(running, `/pages?${range}`, `${token}.${key}`)).status, 200)
    running.clock.now += 86_400_000
    assert.is(
      (await ask(running, `/pages?${range}`, `${token}.${key}`)).status,
      401,
      'a day later the password is asked for again',
    )
    for (let count = 0; count < 10; count++) {
      running.clock.now += 5000
      await open(running, { token, password: `guess ${count}` })
    }
    assert.is((await open(running, { token, password: 'between us only' })).status, 429)
  }))

test('a link that is revoked, or never was, shows nothing', () =>
  withService({}, async running => {
    const { token, uuid } = await make(running, { name: 'Short-lived' })
    assert.equal((await open(running, { token })).body, {
      name: 'Short-lived',
      filters: {},
      segment: null,
      goals: false,
      annotations: false,
      key: null,
      start: {
        today: '2026-03-10',
        timezone: 'UTC',
        week_start: 1,
        generated_at: '2026-03-10T12:00:00Z',
        first_day: null,
      },
    })
    assert.equal(
      (await running.api('/share-links')).body.map(({ name }: { name: string }) => name),
      ['Short-lived'],
    )
    assert.is((await running.api(`/share-links/${uuid}`, { method: 'DELETE' })).status, 200)
    assert.is((await running.api(`/share-links/${uuid}`, { method: 'DELETE' })).status, 404)
    assert.is((await ask(running, `/pages?${range}`, token)).status, 401)
    assert.is((await open(running, { token })).body.code, 'rest_share_not_found')
  }))

test('a link that has expired answers like one that is revoked, and is listed as expired', () =>
  withService({ flags: { timezone: 'Europe/Berlin' } }, async running => {
    await record(running)
    // It is 13:00 on 10 March in Berlin.
    const until: [given: string, time: string][] = [
      ['12h', '2026-03-11T00:00:00Z'],
      ['90d', '2026-06-08T12:00:00Z'],
      ['52w', '2027-03-09T12:00:00Z'],
      ['2026-03-10', '2026-03-10T22:59:59Z'],
      ['2026-03-11T10:00:00+02:00', '2026-03-11T08:00:00Z'],
    ]
    for (const [expires_at, time] of until)
      assert.equal((await make(running, { name: 'x', expires_at })).expires_at, time, expires_at)
    assert.is((await make(running, { name: 'x', expires_at: null })).expires_at, null)
    for (const expires_at of [
      '',
      'soon',
      '0d',
      '2026-03-09',
      '2026-02-30',
      '2026-03-10T12:00:00Z',
      '9000w',
      '3661d',
      7,
    ]) {
      const { status, body } = await running.api('/share-links', {
        method: 'POST',
        body: JSON.stringify({ name: 'x', expires_at }),
        headers: json,
      })
      assert.equal([status, Object.keys(body.data.params)], [400, ['expires_at']], String(expires_at))
    }
    const { token, uuid } = await make(running, { name: 'Short-lived', expires_at: '1h', password: 'between us only' })
    const { key } = (await open(running, { token, password: 'between us only' })).body
    const states = async (): Promise<unknown[]> => {
      const { name, expired } = (await running.api('/share-links')).body.find((link: any) => link.uuid === uuid)
      const opened = await open(running, { token, password: 'between us only' })
      return [name, expired, opened.body.code, (await ask(running, `/pages?${range}`, `${token}.${key}`)).status]
    }
    running.clock.now += 3599_000
    assert.equal(await states(), ['Short-lived', false, undefined, 200])
    running.clock.now += 1000
    assert.equal(await states(), ['Short-lived', true, 'rest_share_not_found', 401])
    const [expired, unknown] = [await open(running, { token }), await open(running, { token: 'no-such-link' })]
    assert.equal([expired.status, expired.body], [unknown.status, unknown.body], 'it does not ask for its password')
    assert.is((await running.api(`/share-links/${uuid}`, { method: 'DELETE' })).status, 200)
  }))

test('a link can be shown again, by administrators, and its token is not in the file', () =>
  withService({}, async running => {
    const { token, uuid, ...link } = await make(running, { name: 'For the board', filters: { device: 'mobile' } })
    const again = await running.api(`/share-links/${uuid.toUpperCase()}`)
    assert.equal([again.status, again.body], [200, { ...link, uuid, token }])
    await running.restart()
    assert.is((await running.api(`/share-links/${uuid}`)).body.token, token)
    assert.is((await open(running, { token })).status, 200)
    const shown = auditOf(running.file).filter(entry => entry.includes('again'))
    assert.equal(shown.length, 2)
    assert.match(shown[0] ?? '', /^admin \(test 0\): Showed the share link .For the board. again\.$/)
    for (const [as, status] of [
      ['reader', 403],
      ['nobody', 401],
    ] as const)
      assert.is((await running.api(`/share-links/${uuid}`, { as })).status, status)
    assert.is((await ask(running, `/share-links/${uuid}`, token)).status, 403)
    assert.is((await running.api('/share-links/none')).status, 404)
    for (const suffix of ['', '-wal']) assert.not.ok(readFileSync(running.file + suffix).includes(token), suffix)
    const { token: other } = await make(running, { name: 'For the board', filters: { device: 'mobile' } })
    assert.is.not(other, token)
    await running.api(`/share-links/${uuid}`, { method: 'DELETE' })
    assert.is((await running.api(`/share-links/${uuid}`)).body.code, 'rest_share_not_found')
  }))

test('links are made by administrators, with filters that reports know', () =>
  withService({}, async running => {
    for (const as of ['reader', 'nobody'] as const) {
      assert.is((await running.api('/share-links', { as })).status, as === 'reader' ? 403 : 401)
      assert.is(
        (await running.api('/share-links', { method: 'POST', body: '{"name":"x"}', headers: json, as })).status,
        as === 'reader' ? 403 : 401,
      )
    }
    for (const wrong of [
      {},
      { name: '' },
      { name: 'x', password: 'short' },
      { name: 'x', filters: { device: 'fridge' } },
      { name: 'x', filters: { contry: 'DE' } },
      { name: 'x', filters: [] },
    ]) {
      assert.is(
        (await running.api('/share-links', { method: 'POST', body: JSON.stringify(wrong), headers: json })).status,
        400,
        JSON.stringify(wrong),
      )
    }
  }))

test.run()
