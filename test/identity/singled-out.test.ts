// What share links, and passwords with filters, do not tell: what fewer than three visits have in common, and what the filter
// of a page leaves out.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { endpoints } from '../../src/endpoints/index.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const range = 'from=2026-03-10&to=2026-03-10'

type Visit = { from: string; agent?: string; pages: string[]; event?: object; referrer?: string }

const walk = async (running: Running, { from, agent = firefox, pages, event, referrer }: Visit): Promise<void> => {
  const headers = { ...json, 'user-agent': agent, 'x-forwarded-for': from }
  const post = async (path: string, body: object): Promise<void> => {
    const { status } = await sendRecord(`${running.service.url}/analytics/v1${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    })
    assert.is(status, 204)
  }
  for (const page of pages) {
    await post('/hit', { page_url: `https://a.example${page}`, referrer, screen_width: 1000, screen_height: 800 })
    running.clock.now += 1000
    if (event !== undefined && page === pages[0])
      await post('/event', { page_url: `https://a.example${page}`, ...event })
    running.clock.now += 1000
  }
}

type Holder = { headers: Record<string, string>; kind: string }

/** A link and, where there are filters, a password. */
const holders = async (running: Running, filters: object, goals = false): Promise<Holder[]> => {
  const create = async (path: string, body: object): Promise<any> => {
    const answer = await running.api(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    assert.is(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  const { token } = await create('/share-links', { name: 'Held', filters, goals })
  const link = { kind: 'link', headers: { 'x-footfall-share': token } }
  if (Object.keys(filters).length === 0) return [link]
  const name = `held ${JSON.stringify(filters)}`
  const { password } = await create('/users/1/application-passwords', { name, scopes: ['reports'], filters })
  return [link, { kind: 'password', headers: { authorization: `Basic ${btoa(`admin:${password}`)}` } }]
}

/** Every list that links show. */
const lists = [
  '/pages',
  '/pages/entry',
  '/pages/exit',
  '/sources',
  '/sources?group_by=channel',
  '/utm',
  '/events',
  '/paths?include=both&depth=2',
  ...['page', 'entry_page', 'exit_page', 'event', 'source', 'browser', 'property.plan'].map(key => `/filters/${key}`),
  ...['country', 'device', 'browser', 'os', 'screen', 'language', 'channel', 'host', 'hour'].map(
    type => `/dimensions/${type}`,
  ),
]
const join = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

const crowd = async (running: Running): Promise<void> => {
  for (let visitor = 1; visitor <= 4; visitor++)
    await walk(running, {
      from: `203.0.${visitor}.1`,
      pages: ['/known', '/also'],
      event: { name: 'common', properties: { plan: 'pro' } },
    })
  await walk(running, {
    from: '198.51.100.7',
    agent: phone,
    pages: ['/known', '/diary', '/letter'],
    event: { name: 'confessed', properties: { plan: 'gold' } },
    referrer: 'https://rare.example/x',
  })
  await running.settled()
}

/** What only one visit has. */
const own = /diary|letter|confessed|gold|rare|iPhone|iOS|Safari|mobile|phone/i

test('no list of a link or a password names what one visit has alone, and sums stay', () =>
  withService({}, async running => {
    await crowd(running)
    for (const filters of [{}, { screen: '1000x800' }])
      for (const { headers, kind } of await holders(running, filters)) {
        const ask = (path: string) => running.api(path, { as: 'nobody', headers })
        for (const path of lists) {
          const asked = join(path, `${range}&limit=50`)
          const [whole, seen] = [await running.api(asked), await ask(asked)]
          assert.is(seen.status, 200, `${kind} ${path} ${JSON.stringify(seen.body)}`)
          assert.not.match(JSON.stringify(seen.body.data), own, `${kind} ${path}`)
          const sum = (rows: any, field: string): number =>
            Array.isArray(rows) ? rows.reduce((all, row) => all + (row[field] ?? 0), 0) : 0
          for (const field of ['sessions', 'views', 'total'])
            if (!path.startsWith('/filters'))
              assert.is(sum(seen.body.data, field), sum(whole.body.data, field), `${kind} ${path} ${field}`)
        }
        const pages = (await ask(`/pages?${range}`)).body.data
        assert.equal(
          pages.map(({ page, views }: any) => [page, views]),
          [
            ['/known', 5],
            ['/also', 4],
            ['(few)', 2],
          ],
        )
        assert.equal((await ask(`/pages?${range}&limit=1&offset=2`)).body.data[0].page, '(few)')
        assert.is((await ask(`/pages?${range}&limit=1`)).headers.get('x-wp-total'), '3')
        assert.not.match(JSON.stringify((await ask(`/pages?${range}&search=diary`)).body.data), own)
        const { properties } = (await ask(`/events/common?${range}`)).body.data
        assert.equal(properties, [{ key: 'plan', total: 4, values: [{ value: 'pro', total: 4 }] }])
        assert.not.match(JSON.stringify((await ask(`/events/confessed?${range}`)).body.data.properties), /gold/)
      }
  }))

test('a filter that selects fewer than three visits answers as if there were none, in every report', () =>
  withService({}, async running => {
    await crowd(running)
    const { body: goal } = await running.api('/goals', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'Read', kind: 'page', pattern: '/known' }),
    })
    const [link] = await holders(running, {}, true)
    const [other] = await holders(running, { language: '' }, true)
    for (const { headers } of [link, other].filter(one => one !== undefined)) {
      const ask = (path: string) => running.api(path, { as: 'nobody', headers })
      const single = ['device=mobile', 'page=/diary', 'event=confessed', 'property.plan=gold', 'source=rare.example']
      for (const { path, shared } of endpoints) {
        if (shared !== 'always' && shared !== 'goals') continue
        if (!/report|breakdown|summary|pages|sources|utm|events|dimensions|filters|paths/.test(path)) continue
        if (path.startsWith('/funnels')) continue
        const filled = path
          .replace(':name', 'common')
          .replace(':type', 'browser')
          .replace(':key', 'browser')
          .replace(':id', String(goal.id))
        const asked = join(filled, `${range}${path.endsWith('breakdown') ? '&by=device' : ''}`)
        const none = await ask(`${asked}&country=AQ`)
        for (const query of single) {
          if (path === '/paths' && query.startsWith('page')) continue
          const { status, body } = await ask(`${asked}&${query}`)
          assert.equal([status, body.data], [none.status, none.body.data], `${asked}&${query}`)
        }
      }
      assert.is((await ask(`/summary?${range}&device=desktop`)).body.data.totals.sessions, 4)
      // Two hours with few visits each would tell of these.
      const { series } = (await ask(`/summary?${range}&interval=hour&device=desktop`)).body.data
      assert.ok(series.every(({ sessions }: any) => sessions === 0 || sessions >= 3))
      assert.equal((await ask(`/paths?${range}&page=/diary`)).body.data.start.sessions, null)
    }
  }))

test('the present shows nobody to a link', () =>
  withService({}, async running => {
    await crowd(running)
    const [link] = await holders(running, {})
    const { body } = await running.api('/realtime', { as: 'nobody', headers: link?.headers ?? {} })
    assert.equal(body.data.recent, [])
    assert.not.match(JSON.stringify(body.data), own)
    assert.is(body.data.active_visitors, 5)
    assert.is((await running.api('/realtime')).body.data.recent.length > 0, true)
  }))

test('a link held to a page names no other page, and no event or property of one', async () => {
  for (const days of [0, 2])
    await withService({}, async running => {
      for (let visitor = 1; visitor <= 4; visitor++) {
        const from = `203.0.${visitor}.1`
        await walk(running, { from, pages: ['/secret-start'], event: { name: 'hidden', properties: { plan: 'gold' } } })
        await walk(running, { from, pages: ['/only'], event: { name: 'shown', properties: { plan: 'pro' } } })
        await walk(running, { from, pages: ['/secret-end'] })
      }
      // Of the second run the day is packed.
      running.clock.now += days * 86_400_000
      await running.settled()
      for (const { headers, kind } of await holders(running, { page: '/only' })) {
        const ask = (path: string) => running.api(path, { as: 'nobody', headers })
        for (const path of lists) {
          const { status, body } = await ask(join(path, range))
          assert.is(status, 200, path)
          assert.not.match(JSON.stringify(body.data), /secret|hidden|gold/, `${kind} ${path}`)
        }
        assert.equal(
          (await ask(`/events?${range}`)).body.data.map(({ name }: any) => name),
          ['shown'],
        )
        assert.is((await ask(`/events/hidden?${range}`)).status, 404)
        const sessions = async (query: string): Promise<number> =>
          (await ask(`/summary?${range}&${query}`)).body.data.totals.sessions
        for (const guess of [
          'exit_page=/secret-end',
          'entry_page=/secret-start',
          'event=hidden',
          'property.plan=gold',
          'page=/secret-end',
        ])
          assert.is(await sessions(guess), 0, guess)
        for (const told of ['event=shown', 'property.plan=pro', 'event=!hidden', 'device=desktop'])
          assert.is(await sessions(told), 4, told)
        const { body } = await ask(`/paths?${range}&include=both`)
        assert.not.match(JSON.stringify(body.data), /secret|hidden/)
      }
    })
})

test.run()
