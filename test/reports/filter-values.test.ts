// What filters understand: names in the user's language, patterns, properties, times; and what they say of other values.

import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { sendRecord } from '../support/records.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-09&to=2026-03-10'

const post = async ({ service }: Running, route: string, body: object, headers: Record<string, string>) => {
  const sent = await sendRecord(`${service.url}/analytics/v1/${route}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'text/plain', 'user-agent': firefox, ...headers },
  })
  assert.is(sent.status, 204)
}

/** Monday evening a Briton and, just before midnight, someone with a phone; on Tuesday two who signed up. */
const record = async (running: Running): Promise<void> => {
  const { hit, clock, settled } = running
  const at = (time: string): void => {
    clock.now = Date.parse(time)
  }
  at('2026-03-09T18:30:00Z')
  const british = { 'x-forwarded-for': '81.2.69.142' }
  await hit({ page_url: '/blog/one', language: 'en-GB', referrer: 'https://www.google.co.uk/' }, british)
  await hit({ page_url: '/blog/two' }, british)
  at('2026-03-09T23:50:00Z')
  const byPhone = { 'x-forwarded-for': '10.0.3.1', 'user-agent': phone }
  await hit({ page_url: '/pricing?utm_source=Spring%20Mail&utm_term=Red*Shoes', language: 'de-AT' }, byPhone)
  at('2026-03-10T00:10:00Z')
  await hit({ page_url: '/blog' }, byPhone)
  at('2026-03-10T09:05:00Z')
  const [first, second] = [{ 'x-forwarded-for': '10.0.4.1' }, { 'x-forwarded-for': '10.0.5.1' }]
  await hit(
    { page_url: '/a*b', language: 'de', screen_width: 1920, screen_height: 1080, referrer: 'https://chatgpt.com/' },
    first,
  )
  await post(running, 'event', { name: 'signup', properties: { plan: 'Pro', method: 'card' } }, first)
  await post(running, 'event', { name: 'signup', properties: { plan: 'free' } }, first)
  await hit({ page_url: '/axb' }, second)
  await post(running, 'event', { name: 'signup', properties: { plan: 'free', method: 'card' } }, second)
  await post(running, 'event', { name: 'upgrade', properties: { plan: 'pro' } }, second)
  at('2026-03-10T12:00:00Z')
  await settled()
}

const sessionsOf = async ({ api }: Running, filter: string): Promise<number> => {
  const { status, body } = await api(`/summary?${range}&${filter}`)
  assert.is(status, 200, `${filter} ${JSON.stringify(body)}`)
  return body.data.totals.sessions
}

const understood: [filter: string, sessions: number][] = [
  ['country=United Kingdom', 1],
  ['country=united  kingdom', 1],
  ['country=UK', 1],
  ['country=!Great Britain', 3],
  ['continent=europe', 1],
  ['continent=EU', 1],
  ['continent=', 3],
  ['device=phone', 1],
  ['device=Phones,Desktop', 4],
  ['channel=organic search', 1],
  ['channel=search,ai', 2],
  ['language=German', 2],
  ['language=de', 2],
  ['language=German (Austria)', 2],
  ['language=de_AT', 2],
  ['language=!german', 2],
  ['language=german,', 3],
  ['hour=18', 1],
  ['hour=9:00,18', 3],
  ['hour=!23', 3],
  ['weekday=Monday', 2],
  ['weekday=tue', 2],
  ['weekday=1&hour=23', 1],
  ['weekday=2&hour=23', 0],
  ['source=google', 1],
  ['source=google.co.uk', 1],
  ['source=www.google.com', 1],
  ['source=chatgpt.com', 1],
  ['source=spring mail', 1],
  ['screen=1920x1080', 1],
  ['screen=', 3],
  ['browser_version=firefox 140', 3],
  ['os_version=!iOS 18', 3],
  ['utm_term=red\\*shoes', 1],
  ['utm_content=', 4],
]

test('values are understood by key and by name', () =>
  withService({}, async running => {
    await record(running)
    for (const [filter, sessions] of understood) assert.is(await sessionsOf(running, filter), sessions, filter)
  }))

test('names are those of the language of the user, and English ones', () =>
  withService({}, async running => {
    await record(running)
    const { status } = await running.api('/users/me', {
      method: 'PUT',
      body: '{"locale":"de"}',
      headers: { 'content-type': 'application/json' },
    })
    assert.is(status, 200)
    for (const [filter, sessions] of [
      ['country=Vereinigtes Königreich', 1],
      ['country=vereinigtes konigreich', 1],
      ['country=United Kingdom', 1],
      ['device=Handy', 1],
      ['device=phone', 1],
      ['channel=Suche', 1],
      ['language=Deutsch', 2],
      ['language=Deutsch (Österreich)', 2],
      ['weekday=Montag', 2],
      ['continent=Europa', 1],
    ] as const)
      assert.is(await sessionsOf(running, filter), sessions, filter)
    const { body } = await running.api(`/summary?${range}&device=Hendy`)
    assert.is(body.data.params.device, 'device=Hendy is not known. Did you mean Handy (mobile)?')
  }))

const refused: [filter: string, sentence: string][] = [
  ['country=Germny', 'country=Germny is not known. Did you mean Germany (DE)?'],
  ['country=DE,!Frnce', 'country=!Frnce is not known. Did you mean France (FR)?'],
  ['country=XX', 'country=XX is not known. Give a name or a code, such as Germany (DE).'],
  // The name in another language of the program is no error of spelling.
  ['country=Alemania', 'country=Alemania is not known. Did you mean Germany (DE)?'],
  [
    'continent=Atlantis',
    'continent=Atlantis is not known. Values: Africa (AF), Antarctica (AN), Asia (AS), Europe (EU), North America (NA), Oceania (OC), South America (SA).',
  ],
  ['device=phnoe', 'device=phnoe is not known. Did you mean Phone (mobile)?'],
  ['device=moble', 'device=moble is not known. Did you mean Phone (mobile)?'],
  ['channel=Dirct', 'channel=Dirct is not known. Did you mean Direct?'],
  ['language=Germn', 'language=Germn is not known. Did you mean German (de)?'],
  [
    'language=Klingonish',
    'language=Klingonish is not known. Give a name or a code, such as Brazilian Portuguese (pt-BR).',
  ],
  ['hour=24', 'hour=24 is not known. Values: 00 to 23.'],
  ['weekday=Mondy', 'weekday=Mondy is not known. Did you mean Monday (1)?'],
  [
    'weekday=8',
    'weekday=8 is not known. Values: Monday (1), Tuesday (2), Wednesday (3), Thursday (4), Friday (5), Saturday (6), Sunday (7).',
  ],
  ['hour=', 'hour takes no empty value.'],
  ['property.plan=', 'property.plan takes no empty value.'],
]

test('a value that is in no list is refused, with the nearest', () =>
  withService({}, async ({ api }) => {
    for (const [filter, sentence] of refused) {
      const { status, body } = await api(`/pages?${range}&${filter}`)
      const [name = ''] = filter.split('=')
      assert.equal([status, body.code], [400, 'rest_invalid_param'], filter)
      assert.equal(body.data.params, { [name]: sentence })
    }
    const { body } = await api(`/pages?${range}&country=Germny&device=fridge`)
    assert.equal(Object.keys(body.data.params), ['country', 'device'])
    for (const query of ['property=x', 'property.=x', 'property[plan]=x']) {
      const { status, body } = await api(`/pages?${range}&${query}`)
      assert.equal(
        [status, body.data.params],
        [400, { property: 'A filter by property is written property.KEY=value.' }],
        query,
      )
    }
    assert.is(
      (await api(`/realtime?property.plan=x`)).body.data.params['property.plan'],
      'This report does not take the filter property.plan.',
    )
  }))

test('a value of an open list that nothing has returns no rows, and names the nearest known ones', () =>
  withService({}, async running => {
    await record(running)
    const { api } = running
    const unmatchedOf = async (filter: string): Promise<unknown> => {
      const { body } = await api(`/pages?${range}&${filter}`)
      assert.equal(body.data, [], filter)
      return body.meta.unmatched
    }
    assert.equal(await unmatchedOf('page=/prcing'), [{ key: 'page', value: '/prcing', nearest: ['/pricing'] }])
    assert.equal(await unmatchedOf('entry_page=/nowhere\\*&event=signin'), [
      { key: 'entry_page', value: '/nowhere\\*', nearest: [] },
      { key: 'event', value: 'signin', nearest: ['signup'] },
    ])
    assert.equal(await unmatchedOf('source=Gogle'), [{ key: 'source', value: 'Gogle', nearest: ['Google'] }])
    assert.equal(await unmatchedOf('property.plan=prro'), [
      { key: 'property.plan', value: 'prro', nearest: ['Pro', 'pro'] },
    ])
    assert.equal(await unmatchedOf('property.plna=pro'), [{ key: 'property.plna', value: 'pro', nearest: [] }])
    assert.equal(await unmatchedOf('utm_source=x*y'), [{ key: 'utm_source', value: 'x*y', nearest: [] }])
    assert.equal(await unmatchedOf('browser=Netscape,Mosaic,Lynx,Elinks'), [
      ...['Netscape', 'Mosaic', 'Lynx', 'Elinks'].map(value => ({ key: 'browser', value, nearest: [] })),
    ])
    const one = await api(`/pages?${range}&page=/pricing,/gone`)
    assert.equal([one.body.data.length, one.body.meta.unmatched], [1, [{ key: 'page', value: '/gone', nearest: [] }]])
    assert.not.ok('unmatched' in (await api(`/pages?${range}&page=/pricing&country=DE&language=fr`)).body.meta)
    // Someone who sees a part of the visits does not learn which values the others have.
    const link = await api('/share-links', {
      method: 'POST',
      body: JSON.stringify({ name: 'Phones', filters: { device: 'phone' } }),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(link.body.filters, { device: 'mobile' })
    const shared = await api(`/pages?${range}&page=/a*c`, {
      as: 'nobody',
      headers: { 'x-footfall-share': link.body.token },
    })
    assert.equal([shared.status, shared.body.data, 'unmatched' in shared.body.meta], [200, [], false])
  }))

test('* stands for any characters', () =>
  withService({}, async running => {
    await record(running)
    for (const [filter, sessions] of [
      ['page=/blog*', 2],
      ['page=/blog/*', 1],
      ['page=*o*', 2],
      ['page=!/blog*', 3],
      ['page=/a*b', 2],
      ['page=/a\\*b', 1],
      ['page=/A*B', 0],
      ['page=/blog/*,/a\\*b', 2],
      ['page=/blog/*/one', 0],
      ['page=/blog*one', 1],
      ['page=*', 4],
      ['page=!*', 0],
      ['page=/blog/o*ne', 1],
      ['page=/blog/on*ne', 0],
      ['entry_page=/blog*', 1],
      ['exit_page=/blog*', 2],
      ['source=goo*', 1],
      ['source=*MAIL', 1],
      ['utm_source=spring*', 1],
      ['utm_source=*', 1],
      ['utm_source=!*', 3],
      ['utm_term=red*', 1],
      ['utm_term=red\\**', 1],
      ['utm_term=red\\*\\**', 0],
      ['event=sign*', 2],
      ['event=!*', 2],
      ['event=Sign*', 0],
      // No pattern elsewhere.
      ['browser=Fire*', 0],
      ['property.plan=p*', 0],
    ] as const)
      assert.is(await sessionsOf(running, filter), sessions, filter)
  }))

test('properties are those of one event, of the names that the filter asks for', () =>
  withService({}, async running => {
    await record(running)
    for (const [filter, sessions] of [
      ['property.plan=pro', 2],
      ['property.plan=PRO', 2],
      ['event=signup&property.plan=pro', 1],
      ['event=upgrade&property.plan=pro', 1],
      ['event=upgrade&property.plan=free', 0],
      ['event=signup,upgrade&property.plan=pro', 2],
      ['property.plan=pro,free', 2],
      ['event=signup&property.plan=!pro', 1],
      ['property.plan=!pro', 2],
      // The first signed up with a card for Pro, then without one for free.
      ['property.plan=free&property.method=card', 1],
      ['property.plan=pro&property.method=card', 1],
      ['property.plan=pro&property.method=!card', 0],
      ['event=!upgrade&property.plan=pro', 1],
      ['property.Plan=pro', 0],
    ] as const)
      assert.is(await sessionsOf(running, filter), sessions, filter)
    const { body } = await running.api(`/events/signup?${range}&property.plan=Pro`)
    assert.is(body.data.total, 3)
  }))

test('a pattern that fits more than 10,000 values is refused', () =>
  withService({}, async ({ api, file, restart }) => {
    const { openDatabase } = await import('../../src/database/open.ts')
    await restart(() => {
      const { db } = openDatabase(file)
      db.exec(
        'with recursive n(i) as (select 1 union all select i + 1 from n where i < 10001) ' +
          "insert into page (path, host_id) select '/many/' || i, 1 from n",
      )
      db.close()
    })
    const { status, body } = await api(`/pages?${range}&entry_page=/m*`)
    assert.equal([status, body.data.params], [400, { entry_page: 'Too many pages fit: at most 10,000 can.' }])
    assert.is((await api(`/pages?${range}&page=/many/*2`)).status, 200)
  }))

test('hostile patterns cost no more than others', () =>
  withService({}, async ({ api, hit, settled }) => {
    await hit({ page_url: `/${'z.'.repeat(500)}` })
    await settled()
    const pattern = `*${'z*'.repeat(400)}b`
    const { status, body } = await api(`/pages?${range}&page=${Array.from({ length: 10 }, () => pattern).join(',')}`)
    assert.equal([status, body.data], [200, []])
    assert.is((await api(`/pages?${range}&page=/${'z*'.repeat(400)}`)).body.data.length, 1)
  }))

test('the command line takes them', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    await withService({ file: data }, record)
    const report = async (request: string) => {
      const { status, stdout, stderr } = await footfallHere([
        'report',
        request,
        '--data',
        data,
        '--from',
        '2026-03-09',
        '--to',
        '2026-03-10',
        '--json',
      ])
      return { status, stderr, rows: status === 0 ? JSON.parse(stdout).data.map((row: any) => row.page) : [] }
    }
    assert.equal((await report('pages?country=United Kingdom&page=/blog/*')).rows, ['/blog/one', '/blog/two'])
    assert.equal((await report('pages?property.plan=free&event=signup')).rows, ['/a*b', '/axb'])
    const { status, stderr } = await report('pages?country=Germny')
    assert.is(status, 2)
    assert.match(stderr, /country=Germny is not known\. Did you mean Germany \(DE\)\?/)
  }))

test('each of two values that are not known is answered with what may be meant by it', () =>
  withService({}, async running => {
    await record(running)
    const refusedAs = async (query: string): Promise<unknown> => {
      const { status, body } = await running.api(`/summary?${range}&${query}`)
      assert.is(status, 400, query)
      return body.data.params
    }
    for (const [first, second] of [
      ['Germny', 'Germany (DE)'],
      ['Swedn', 'Sweden (SE)'],
    ] as const)
      for (const query of [`country=${first},France`, `country=France,${first}`])
        assert.equal(await refusedAs(query), { country: `country=${first} is not known. Did you mean ${second}?` })
    assert.equal(await refusedAs('country=Germny&device=moble'), {
      country: 'country=Germny is not known. Did you mean Germany (DE)?',
      device: 'device=moble is not known. Did you mean Phone (mobile)?',
    })
    const unmatched = async (query: string): Promise<unknown> =>
      (await running.api(`/summary?${range}&${query}`)).body.meta.unmatched
    const page = { key: 'page', value: '/pricng', nearest: ['/pricing'] }
    const event = { key: 'event', value: 'upgrad', nearest: ['upgrade'] }
    const other = { key: 'event', value: 'signupp', nearest: ['signup'] }
    assert.equal(await unmatched('event=upgrad,signupp'), [event, other])
    assert.equal(await unmatched('event=signupp,upgrad'), [other, event])
    assert.equal(await unmatched('event=signup,upgrad'), [event])
    assert.equal(await unmatched('page=/pricng&event=signupp,upgrad'), [page, other, event])
  }))

test.run()
