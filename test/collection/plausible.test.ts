// Plausible's events API: a client that speaks as its SDKs do, and what strangers may send.
import { request as httpRequest } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { assertHarmless, json as jsonHeader, portOf, request, sendBytes, statusOf } from '../support/hostile.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'

type Headers = Record<string, string>
type Reply = { status: number; text: string; outcome: unknown; cors: unknown }

const site = 'https://example.org'
const flags = { siteUrl: site, plausibleApi: 'true' }
const day = 'from=2026-03-10&to=2026-03-10'

/** An SDK: one POST of JSON, with the visitor's two headers. */
const send = ({ service }: Running, event: unknown, headers: Headers = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${service.url}/api/event`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': firefox,
        'x-forwarded-for': '203.0.113.7',
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', async answer => {
      const text = Buffer.concat(await answer.toArray()).toString()
      const { 'x-footfall-outcome': outcome, 'access-control-allow-origin': cors } = answer.headers
      resolve({ status: answer.statusCode ?? 0, text, outcome, cors })
    })
    sent.end(typeof event === 'string' ? event : JSON.stringify(event))
  })

const rows = ({ file }: Running, query: string): any[] => {
  const { db } = openDatabase(file)
  try {
    return db.prepare(query).all()
  } finally {
    db.close()
  }
}

const collectPassword = ({ file, clock }: Running): string => {
  const { db } = openDatabase(file)
  const made = createAppPassword(db, { login: 'admin', name: 'sdk', scopes: ['collect'] }, Math.floor(clock.now / 1000))
  db.close()
  return made.password
}

const pageview = { name: 'pageview', url: `${site}/a?utm_source=news`, domain: 'example.org' }

test('it is off by default', () =>
  withService({ flags: { siteUrl: site } }, async running => {
    assert.is((await send(running, pageview)).status, 404)
    assert.is((await fetch(`${running.service.url}/api/event`, { method: 'OPTIONS' })).status, 404)
  }))

test('page views, events with properties and revenue, and engagement, by long names and by short ones', () =>
  withService({ flags: { ...flags, rootPath: '' } }, async running => {
    const { status, text, outcome, cors } = await send(running, {
      ...pageview,
      referrer: 'https://www.google.com/',
      screen_width: 1440,
    })
    assert.equal([status, text, outcome, cors], [202, 'ok', undefined, '*'])
    running.clock.now += 20_000
    for (const [e, sd] of [
      [9400, 30],
      [5600, 80],
      [0, 255],
    ])
      assert.is(
        (await send(running, { n: 'engagement', u: `${site}/a?utm_source=news`, d: 'x', e, sd, v: 36 })).status,
        202,
      )
    await send(running, { n: 'pageview', u: `${site}/b/#/users?x=1`, h: 1, r: null })
    await send(running, { n: 'engagement', u: `${site}/b/#/users`, h: 1, e: 4000 })
    // Of a page that was not seen, and of another visitor.
    await send(running, { n: 'engagement', u: `${site}/c`, e: 4000 })
    await send(running, { n: 'engagement', u: `${site}/a`, e: 4000 }, { 'user-agent': phone })
    assert.equal(
      rows(running, 'select p.path, seconds, scroll from view v join page p on p.id = page_id order by v.id'),
      [
        { path: '/a', seconds: 15, scroll: 80 },
        { path: '/b/users', seconds: 4, scroll: null },
      ],
    )
    await send(running, { ...pageview })
    await send(running, { n: 'engagement', u: `${site}/a`, e: 3000 })
    assert.equal(
      rows(running, 'select seconds from view order by id').map(({ seconds }) => seconds),
      [15, 4, 3],
      'of two views of a page the last',
    )
    await send(running, {
      name: 'Purchase',
      url: `${site}/a`,
      props: { plan: 'pro', seats: 3, trial: false, none: null },
      revenue: { currency: 'EUR', amount: '19.50' },
      interactive: false,
    })
    await send(running, { n: 'Signup', u: `${site}/a`, p: '{"plan":"free"}', $: '{"currency":"USD","amount":5}' })
    await send(running, { n: 'Menu', u: `${site}/a`, p: 'no object', $: { currency: 'USD', amount: { toString: 1 } } })
    const named = `select n.text as name, value, p.path from event e join label n on n.id = name_id join page p on p.id = page_id`
    assert.equal(rows(running, `${named} order by e.id`), [
      { name: 'Purchase', value: 19.5, path: '/a' },
      { name: 'Signup', value: 5, path: '/a' },
      { name: 'Menu', value: null, path: '/a' },
    ])
    const properties = `select k.text as key, v.text as value from event_property join label k on k.id = key_id join label v on v.id = value_id`
    assert.equal(
      rows(running, `${properties} order by event_id, key`).map(({ key, value }) => `${key}=${value}`),
      ['currency=EUR', 'plan=pro', 'seats=3', 'trial=false', 'currency=USD', 'plan=free'],
    )
    await running.settled()
    const { totals } = (await running.api(`/summary?${day}`)).body.data
    assert.equal([totals.visitors, totals.views], [1, 3])
    const sources = (await running.api(`/sources?${day}`)).body.data
    assert.is(sources.length, 1)
  }))

test('the gates, the limits and the ledger are those of /hit', () =>
  withService({ flags: { ...flags, throttleHits: '3/1' } }, async running => {
    for (const [at, [event, headers, status]] of (
      [
        [{ ...pageview, url: 'https://elsewhere.example/' }, {}, 400],
        [{ ...pageview, url: 'app://localhost/x' }, {}, 400],
        [{ ...pageview, url: '' }, {}, 400],
        [{ ...pageview, name: undefined }, {}, 400],
        [{ ...pageview, name: ['pageview'] }, {}, 400],
        [[pageview], {}, 400],
        ['{"name":"pageview"', {}, 400],
        [{ ...pageview, props: 'x'.repeat(9000) }, {}, 413],
        [pageview, { 'content-type': 'application/x-www-form-urlencoded' }, 415],
        [pageview, { 'content-encoding': 'gzip' }, 415],
        [pageview, { origin: 'https://elsewhere.example' }, 400],
        [pageview, { 'sec-gpc': '1', 'x-forwarded-for': '203.0.113.8' }, 202],
        [pageview, { 'user-agent': 'Googlebot/2.1', 'x-forwarded-for': '203.0.113.9' }, 202],
      ] as [unknown, Headers, number][]
    ).entries()) {
      const answer = await send(running, event, { 'x-forwarded-for': `198.${at}.100.7`, ...headers })
      assert.is(answer.status, status, JSON.stringify(event).slice(0, 60))
    }
    assert.is(rows(running, 'select * from view').length, 0)
    const statuses: number[] = []
    for (let at = 0; at < 5; at++) statuses.push((await send(running, pageview)).status)
    assert.equal(statuses, [202, 202, 202, 429, 429])
    // Whatever it sends, a flood passes no more than the limits of the three kinds together.
    let passed = 0
    for (let at = 0; at < 200; at++)
      passed += (await send(running, '[', { 'x-forwarded-for': '198.51.100.1' })).status === 400 ? 1 : 0
    assert.is(passed, 3 + 3 + 120)
    await running.hit({ page_url: '/last' }, { 'x-forwarded-for': '198.18.0.1' })
    const ledger = Object.fromEntries(
      rows(running, 'select outcome, requests from ledger').map(({ outcome, requests }) => [outcome, requests]),
    )
    assert.equal([ledger.accepted, ledger.gpc, ledger.bot], [4, 1, 1])
    assert.is(ledger.throttled, 2 + 74)
    const { received, ...others } = ledger
    const { trimmed: _, ...outcomes } = others
    assert.is(
      Object.values<number>(outcomes).reduce((all, one) => all + one, 0),
      received,
    )
  }))

test('whom X-Forwarded-For names is believed of trusted proxies and of those who may say it', () =>
  withService({ flags: { ...flags, throttleHits: '2/1', trustProxy: '192.0.2.1' } }, async running => {
    const password = collectPassword(running)
    const bearer = { authorization: `Bearer ${password}` }
    const grouped = { authorization: `Bearer ${password.replaceAll(' ', '')}` }
    const basic = { authorization: `Basic ${btoa(`admin:${password}`)}` }
    // A stranger's header is not read: all are one client, whose limit is two.
    const strangers: number[] = []
    for (let at = 0; at < 3; at++)
      strangers.push((await send(running, pageview, { 'x-forwarded-for': `203.${at}.113.7` })).status)
    assert.equal(strangers, [202, 202, 429])
    assert.is(rows(running, 'select * from session').length, 1)
    for (const [at, headers] of [bearer, grouped, basic].entries()) {
      const from = { ...headers, 'x-forwarded-for': ` 198.${at}.100.7 , 203.0.113.7` }
      const { status, outcome } = await send(running, pageview, from)
      assert.equal([status, outcome], [202, 'accepted'])
    }
    assert.is(rows(running, 'select * from session').length, 4)
    const wrong = { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAA', 'x-forwarded-for': '198.9.100.7' }
    assert.is((await send(running, pageview, wrong)).status, 429)
    const orders = { authorization: running.reader, 'x-forwarded-for': '198.9.100.7' }
    assert.is((await send(running, pageview, orders)).status, 429)
    // A body says nothing of the visitor here.
    const body = { ...pageview, address: '198.9.100.7', user_agent: phone }
    assert.is((await send(running, body)).status, 429)
    // The token opens nothing else.
    const { status } = await running.api('/settings', { as: 'nobody', headers: bearer })
    assert.is(status, 401)
  }))

test('a preflight is answered for every origin, other methods are no route, and no bytes do harm', () =>
  withService({ flags }, async running => {
    const { url } = running.service
    const preflight = await fetch(`${url}/api/event`, { method: 'OPTIONS' })
    assert.equal([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, '*'])
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      assert.is((await fetch(`${url}/api/event`, { method })).status, 404, method)
    const bodies = [
      'null',
      '1e999',
      '"x"',
      '{"__proto__":{"name":"pageview","url":"/a"}}',
      `{"name":"pageview","url":"${site}/a","props":${'['.repeat(3000)}${']'.repeat(3000)}}`,
      `{"name":"x","url":"${site}/a","props":{"__proto__":"x","constructor":{"a":1},"a":"\\ud800"},"revenue":{"amount":1e999,"currency":{}}}`,
      `{"name":"engagement","url":"${site}/a","e":1e308,"sd":-1}`,
      `{"name":"engagement","url":["${site}/a"],"e":"x","sd":{}}`,
      `{"n":"pageview","u":"${site}/#/${'?'.repeat(1500)}","h":true,"w":{"toString":1},"r":[]}`,
      `{"n":"${'\u0000'.replace('\u0000', '\\u0000')}","u":"${site}/a"}`,
    ]
    for (const body of bodies) {
      const answer = await sendBytes(portOf(url), request('POST /api/event', { ...jsonHeader }, body))
      assertHarmless(answer, body.slice(0, 60))
      assert.ok([202, 400].includes(statusOf(answer) ?? 0), `${body.slice(0, 60)}: ${answer.slice(0, 60)}`)
    }
    assert.not.match(running.logs.join('\n'), /a request failed/)
  }))

test.run()
