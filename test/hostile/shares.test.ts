// One sender, one /48, or a few of them: they use up their shares, and nobody else notices.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCardinalityLimit, limits } from '../../src/collection/store/cardinality-limit.ts'
import { openDatabase, openReadOnly } from '../../src/database/open.ts'
import { withFolder } from '../support/folder.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const site = 'https://site.example'
const unthrottled = { throttleHits: '1000000/1000000', allowedHosts: 'site.example' }

/** Sends records of one address; all of them are answered with 204. */
const send = async (
  { service }: Running,
  kind: 'hit' | 'event',
  bodies: readonly Record<string, unknown>[],
  headers: Record<string, string>,
): Promise<void> => {
  const together = 50
  for (let at = 0; at < bodies.length; at += together)
    for (const { status } of await Promise.all(
      bodies.slice(at, at + together).map(body =>
        sendRecord(`${service.url}/analytics/v1/${kind}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'user-agent': firefox, ...headers },
        }),
      ),
    ))
      assert.is(status, 204)
}

const from = (address: string, userAgent = firefox): Record<string, string> => ({
  'x-forwarded-for': address,
  'user-agent': userAgent,
})

const list = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const pages = (count: number, name: string) => list(count, at => ({ page_url: `${site}/${name}/${at}` }))

const query = '?from=2026-03-10&to=2026-03-10&limit=200'

const viewsOf = async ({ api }: Running, page: string): Promise<number> => {
  let sum = 0
  for (let offset = 0; offset < 400; offset += 200) {
    const { body } = await api(`/pages${query}&search=${encodeURIComponent(page)}&offset=${offset}`)
    for (const { views } of body.data) sum += views
  }
  return sum
}

const value = (file: string, sql: string): number => {
  const db = openReadOnly(file)
  const found = (db.prepare(sql).get() as { value: number }).value
  db.close()
  return found
}

/** A path of 1,000 characters that is not redacted. */
const longPath = (name: string): string => `${name}${'/a-wörd'.repeat(150)}`.slice(0, 1000)

/** A hit and an event that are new in everything a visitor can choose, with texts as long as they may be. */
const long = (at: number, length: number): string => `${at}${'ü'.repeat(length)}`.slice(0, length)
const greedyHit = (at: number) => ({
  page_url: `${site}/${longPath(`p${at}`)}`,
  page_query: ['source', 'medium', 'campaign', 'term', 'content'].map(key => `utm_${key}=${long(at, 190)}`).join('&'),
  title: long(at, 300),
  referrer: `https://r${at}.example/`,
  screen_width: 300 + at,
  screen_height: 300,
  language: `de-x-${at.toString(36).padStart(4, '0')}`,
  resource_type: long(at, 40),
  author: long(at, 100),
  pvid: `p${String(at).padStart(20, '0')}`,
})
const greedyEvent = (at: number) => ({
  name: `event${at % 400}`,
  event_id: `e${String(at).padStart(20, '0')}`,
  page_url: `${site}/${longPath(`e${at}`)}`,
  properties: Object.fromEntries(list(10, key => [`${key} ${long(at % 50, 30)}`, long(at * 10 + key, 200)])),
})

test('one address brings 200 new pages a day; sums stay exact, and a finding says so', () =>
  withService({ flags: unthrottled }, async running => {
    await send(running, 'hit', pages(230, 'flood'), from('198.51.100.1'))
    await send(running, 'hit', pages(1, 'honest'), from('198.51.100.2'))
    await running.settled()
    assert.is(await viewsOf(running, '/flood/'), 200)
    assert.is(await viewsOf(running, '(other)'), 30)
    assert.is(await viewsOf(running, '/honest/'), 1)
    assert.is((await running.api(`/summary${query}`)).body.data.totals.views, 231)
    const { findings } = (await running.api('/diagnostics')).body
    assert.match(findings.find(({ id }: { id: string }) => id === 'bounds').message, /\(other\): page \(30\)\.$/)

    // What an earlier day knows is not new, and each day begins with a new share.
    running.clock.now += 86_400_000
    await send(running, 'hit', [...pages(200, 'flood'), ...pages(200, 'second')], from('198.51.100.1'))
    await running.settled()
    assert.is(
      (await running.api('/pages?from=2026-03-11&to=2026-03-11&search=second')).headers.get('x-wp-total'),
      '200',
    )
  }))

test('the other shares of one address', () =>
  withService({ flags: unthrottled }, async running => {
    const campaigns = list(70, at => ({
      page_url: `${site}/?utm_source=s${at}&utm_medium=m${at}&utm_campaign=c${at}&utm_term=t${at}&utm_content=n${at}`,
      referrer: `https://r${at}.example/`,
      // A campaign counts for the first view of a visit.
      age: 0,
    }))
    // Every agent is a visitor of its own.
    for (const [at, body] of campaigns.entries())
      await send(running, 'hit', [body], from('198.51.100.1', `${firefox} n${at}`))
    const events = list(30, at => ({ name: `event${at}` }))
    await send(running, 'event', events, from('198.51.100.1'))
    const properties = list(230, at => ({
      name: `event${at % 20}`,
      properties: Object.fromEntries(list(10, key => [`k${key}`, `v${at}-${key}`])),
    }))
    await send(running, 'event', properties, from('198.51.100.1'))
    const count = (sql: string): number => value(running.file, `select count(*) as value from ${sql}`)
    assert.equal(
      {
        hosts: count("(select distinct domain from origin where domain like 'r%')"),
        sources: count("utm_value where name = 'source'"),
        contents: count("utm_value where name = 'content'"),
        names: count('event_name'),
        values: count('event_value'),
      },
      { hosts: 50, sources: 50, contents: 50, names: 20, values: 2000 },
    )
    assert.is(count("session join origin on origin.id = origin_id where domain = '(other)'"), 20)
  }))

test('a /48 has four shares, however many addresses it has', () =>
  withService({ flags: unthrottled }, async running => {
    for (let net = 1; net <= 6; net++) await send(running, 'hit', pages(190, `net${net}`), from(`2001:db8:1:${net}::1`))
    await send(running, 'hit', pages(20, 'other-net'), from('2001:db8:2::1'))
    await running.settled()
    assert.is(await viewsOf(running, '(other)'), 6 * 190 - 4 * 200)
    assert.is(await viewsOf(running, 'other-net'), 20)
  }))

test('many addresses leave a reserve for those that bring little', () =>
  withService({ flags: unthrottled }, async running => {
    const { site: all, client } = limits.event
    const senders = Math.ceil(all / client) + 2
    for (let sender = 1; sender <= senders; sender++)
      await send(
        running,
        'event',
        list(client, at => ({ name: `flood-${sender}-${at}` })),
        from(`198.51.100.${sender}`),
      )
    await send(running, 'event', [{ name: 'signup' }], from('203.0.113.9'))
    await running.settled()
    const { body } = await running.api(`/events${query}`)
    const rows: { name: string; total: number }[] = body.data
    assert.is(rows.find(({ name }) => name === 'signup')?.total, 1)
    assert.is(rows.find(({ name }) => name === '(other)')?.total, senders * client - (rows.length - 2))
    assert.ok(rows.length - 2 >= all / 2 && rows.length - 2 < all)
  }))

/** As many new values as there are, each client sending as few as the reserve takes. */
const exhaust = async (running: Running, kind: 'event' | 'utm_campaign'): Promise<void> => {
  const { site: all, client } = limits[kind]
  const few = client / 10
  const bodyOf = (name: string): Record<string, unknown> =>
    kind === 'event' ? { name } : { page_url: `${site}/?utm_campaign=${name}` }
  const records = list(all / few + 10, sender =>
    list(few, at => ({
      body: bodyOf(`made-up-${sender}-${at}`),
      // A campaign counts for the first view of a visit, and visitors of one network differ by their agents alone.
      headers: from(
        `45.${18 + (sender % 2)}.${Math.floor(sender / 200)}.${1 + (sender % 200)}`,
        `${firefox} n${sender}-${at}`,
      ),
    })),
  ).flat()
  const together = 50
  for (let at = 0; at < records.length; at += together)
    await Promise.all(
      records
        .slice(at, at + together)
        .map(({ body, headers }) => send(running, kind === 'event' ? 'event' : 'hit', [body], headers)),
    )
}

test('a thousand addresses use up the day, but not for what settings name or three networks send', () =>
  withService({ flags: unthrottled }, async running => {
    const create = async (path: string, body: object): Promise<void> => {
      const headers = { 'content-type': 'application/json' }
      const { status } = await running.api(path, { method: 'POST', headers, body: JSON.stringify(body) })
      assert.is(status, 201, path)
    }
    await create('/goals', { name: 'Sale', kind: 'event', pattern: 'sold' })
    await create('/funnels', {
      name: 'Way',
      steps: [
        { kind: 'page', pattern: '/' },
        { kind: 'event', pattern: 'stepped' },
      ],
    })
    await create('/segments', { name: 'Those', filters: { event: 'asked,called' } })
    const networks = ['203.0.113.9', '192.0.2.7', '100.128.5.5']

    await exhaust(running, 'event')
    const sent = async (name: string, addresses: readonly string[]): Promise<number> => {
      for (const address of addresses) await send(running, 'event', [{ name }], from(address))
      await running.settled()
      const { body } = await running.api(`/events${query}`)
      const rows: { name: string; total: number }[] = [
        ...body.data,
        ...(await running.api(`/events${query}&offset=200`)).body.data,
      ]
      return rows.find(row => row.name === name)?.total ?? 0
    }
    for (const known of ['sold', 'stepped', 'called']) assert.is(await sent(known, ['203.0.113.9']), 1, known)
    for (const unknown of ['Sold', 'sol']) assert.is(await sent(unknown, ['203.0.113.9']), 0, unknown)
    // The addresses of one network are one witness; the third network's value keeps its name, and so do all later ones.
    assert.is(await sent('honest', ['203.0.113.9', '203.0.113.10', '203.0.113.11']), 0)
    assert.is(await sent('honest', [networks[1] ?? '', networks[2] ?? '']), 1)
    assert.is(await sent('honest', ['203.0.113.9']), 2)
    // That reserve has an end as well.
    const reserve = limits.event.site / 4
    for (let at = 0; at < reserve + 5; at++)
      for (const address of networks) await send(running, 'event', [{ name: `together-${at}` }], from(address))
    assert.is(
      value(
        running.file,
        "select count(*) as value from event_name join label on id = name_id where text glob 'together-*'",
      ),
      reserve - 1,
    )
  }))

test('a campaign that somebody has noted keeps its name', () =>
  withService({ flags: unthrottled }, async running => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ at: '2026-03-10', kind: 'campaign', text: 'Letter spring-2026 goes out' })
    assert.is((await running.api('/annotations', { method: 'POST', headers, body })).status, 201)
    await exhaust(running, 'utm_campaign')
    for (const name of ['Spring-2026', 'autumn-2026'])
      await send(
        running,
        'hit',
        [{ page_url: `${site}/?utm_campaign=${name}` }],
        from('203.0.113.9', `${firefox} ${name}`),
      )
    const named = (name: string): number =>
      value(running.file, `select count(*) as value from campaign where campaign = '${name}'`)
    assert.equal([named('Spring-2026'), named('autumn-2026')], [1, 0])
  }))

test('a private address has no share of its own, nor has one that the proxy does not name', () =>
  withService({ flags: unthrottled }, async running => {
    await send(running, 'hit', pages(250, 'office'), from('10.0.0.9'))
    await send(running, 'hit', pages(250, 'unnamed'), from('unknown'))
    await running.settled()
    assert.is(await viewsOf(running, '(other)'), 0)
    assert.is(await viewsOf(running, 'unnamed'), 250)
  }))

test('what the CMS has named is not new', () =>
  withService({ flags: unthrottled }, async running => {
    const items = pages(210, 'article').map(({ page_url }) => ({ page: page_url, title: 'An article' }))
    const headers = { 'content-type': 'application/json' }
    const { status } = await running.api('/content', { method: 'POST', headers, body: JSON.stringify(items) })
    assert.is(status, 200)
    await send(running, 'hit', [...pages(200, 'flood'), ...pages(210, 'article')], from('198.51.100.1'))
    await running.settled()
    assert.is(await viewsOf(running, '/article/'), 210)
    assert.is(await viewsOf(running, '(other)'), 0)
  }))

test('4,000 records of one address that fill everything take at most 10 MiB', () =>
  withService({ flags: unthrottled }, async running => {
    // A stop moves the write-ahead log into the file.
    const size = async (): Promise<number> => {
      await running.restart()
      return statSync(running.file).size
    }
    await send(running, 'hit', pages(1, 'first'), from('203.0.113.9'))
    const before = await size()
    for (let at = 0; at < 2000; at++) {
      const headers = from('198.51.100.1', firefox.replace('140', String(at)))
      await send(running, 'hit', [greedyHit(at)], headers)
      await send(running, 'event', [greedyEvent(at)], headers)
    }
    await running.settled()
    const texts = value(
      running.file,
      `select (select sum(octet_length(text)) from label) + (select sum(octet_length(path)) from page) as value`,
    )
    assert.ok(texts <= limits.text.client + 100_000, `${texts} bytes of text`)
    const grown = (await size()) - before
    assert.ok(grown <= 10 * 2 ** 20, `${(grown / 2 ** 20).toFixed(1)} MiB`)
    assert.is((await running.api(`/summary${query}`)).body.data.totals.views, 2001)
  }))

test('all together bring 64 MiB of new text a day, and a rollback returns what it took', () =>
  withFolder(folder => {
    const { db } = openDatabase(join(folder, 'test.db'))
    const limit = createCardinalityLimit(db, true)
    const text = 'x'.repeat(1024)
    /** How many KiB of a day's new text of a client are stored. */
    const stored = (day: number, client: string | null): number => {
      limit.begin(day, client)
      return list(2000, () => limit.allow('text', [text])).filter(allowed => allowed).length
    }
    const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0)
    const greedy = list(40, at => `198.51.100.${at}`)
    // A call counts its text, and one byte as the value of its kind.
    const share = Math.floor(limits.text.client / 1025)
    assert.is(stored(20260310, greedy[0] ?? null), share)
    limit.reset()
    assert.is(stored(20260310, greedy[0] ?? null), share)
    const all = share + sum(greedy.slice(1).map(client => stored(20260310, client)))
    // 32 MiB for anybody, the rest for those with less than a tenth of their share.
    assert.ok(all >= 32 * 1024 - 40 && all <= 36 * 1024, `${all} KiB`)
    const quiet = sum(list(1000, at => stored(20260310, `203.0.${at >> 8}.${at & 255}`)))
    assert.ok(all + quiet <= 64 * 1024 && all + quiet > 63 * 1024, `${all + quiet} KiB`)
    assert.is(stored(20260310, null), 0)
    // A record that is dated back does not begin a new share; the next day does.
    assert.ok(stored(20260309, greedy[0] ?? null) === 0 && stored(20260311, greedy[0] ?? null) === share)
    const recording = createCardinalityLimit(db, false)
    recording.begin(20260310, null)
    assert.ok(recording.allow('title', [text.repeat(100_000)]))
    db.close()
  }))

test.run()
