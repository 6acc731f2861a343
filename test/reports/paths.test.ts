// Paths: from a page on and back, walked by via, over midnight, under links and filters, and what is refused.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { setRawFrom } from '../../src/rollup/raw-from.ts'
import { footfallHere } from '../support/command.ts'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'

import { sendRecord } from '../support/records.ts'
import { type Answer, firefox, phone, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const range = 'from=2026-03-10&to=2026-03-11'
const minute = 60_000

/** Visits as lists of pages and, after a colon, events. */
const walk = async (running: Running, visits: readonly string[][], agent = firefox, first = 1): Promise<void> => {
  for (const [index, steps] of visits.entries()) {
    const headers = { 'user-agent': agent, 'x-forwarded-for': `203.0.${first + index}.7` }
    for (const step of steps) {
      running.clock.now += minute
      if (!step.startsWith(':')) assert.is((await running.hit({ page_url: step, title: step }, headers)).status, 204)
      else
        await sendRecord(`${running.service.url}/analytics/v1/event`, {
          method: 'POST',
          body: JSON.stringify({ name: step.slice(1) }),
          headers: { ...headers, 'content-type': 'text/plain' },
        })
    }
  }
  await running.settled()
}

const shop = [
  ['/', '/shop', '/shop', '/pricing', ':signup', '/thanks'],
  ['/', '/pricing', '/thanks'],
  ['/pricing', '/shop'],
  ['/', '/shop', '/pricing', ':signup', ':signup', '/thanks', '/'],
  ['/pricing'],
  ['/', '/imprint'],
]

const rowsOf = (rows: readonly any[]): unknown[] =>
  rows.map(({ page, event, sessions, exits, entries }) => [page ?? `:${event}`, sessions, exits ?? entries])
const pathsOf = async ({ api }: Running, query: string, options = {}): Promise<any> => {
  const { status, body } = await api(`/paths?${range}&${query}`, options)
  assert.is(status, 200, JSON.stringify(body))
  return body.data
}

test('paths go on from a page and back from it; repeats are one step, and those who left are counted', () =>
  withService({}, async running => {
    await walk(running, shop)
    const next = await pathsOf(running, 'page=/pricing&depth=2')
    assert.equal(next.start, { page: '/pricing', via: [], sessions: 5, exits: 1 })
    assert.equal(next.steps.map(rowsOf), [
      [
        ['/thanks', 3, 2],
        ['(single visits)', 1, 1],
      ],
      [['(single visits)', 1, 1]],
    ])
    assert.equal(
      next.steps[0].map(({ share }: { share: number }) => share),
      [0.6, 0.2],
    )
    assert.not('event' in next.steps[0][0])
    const previous = await pathsOf(running, 'page=/pricing&direction=previous&depth=2')
    assert.equal(previous.start, { page: '/pricing', via: [], sessions: 5, entries: 2 })
    assert.equal(previous.steps.map(rowsOf), [
      [
        ['/shop', 2, 0],
        ['(single visits)', 1, 1],
      ],
      [['/', 2, 2]],
    ])
    // Without a page, from where sessions began, or back from where they ended.
    const begun = await pathsOf(running, 'depth=1')
    assert.equal(begun.start, { page: null, via: [], sessions: 6, exits: 0 })
    assert.equal(rowsOf(begun.steps[0]), [
      ['/', 4, 0],
      ['/pricing', 2, 1],
    ])
    const ended = await pathsOf(running, 'direction=previous')
    assert.equal(rowsOf(ended.steps[0]), [
      ['/thanks', 2, 0],
      ['(single visits)', 4, 1],
    ])
  }))

test('via walks on, as far as more than one session went', () =>
  withService({}, async running => {
    await walk(running, shop)
    const first = await pathsOf(running, 'via=/&depth=2')
    assert.equal(first.start, { page: null, via: ['/'], sessions: 4, exits: 0 })
    assert.equal(first.steps.map(rowsOf), [
      [
        ['/shop', 2, 0],
        ['(single visits)', 2, 1],
      ],
      [
        ['/pricing', 2, 0],
        ['(single visits)', 1, 1],
      ],
    ])
    const second = await pathsOf(running, 'via=/,/shop')
    assert.equal([second.start.sessions, rowsOf(second.steps[0])], [2, [['/pricing', 2, 0]]])
    const alone = await pathsOf(running, 'via=/,/imprint')
    assert.equal([alone.start, alone.steps], [{ page: null, via: ['/', '/imprint'], sessions: null }, [[]]])
    const nobody = await pathsOf(running, 'via=/,/thanks')
    assert.equal([nobody.start.sessions, nobody.steps], [0, [[]]])
    const back = await pathsOf(running, 'page=/pricing&direction=previous&via=/shop')
    assert.equal([back.start.sessions, rowsOf(back.steps[0])], [2, [['/', 2, 2]]])
  }))

test('steps can be events, or pages and events', () =>
  withService({}, async running => {
    await walk(running, shop)
    const both = await pathsOf(running, 'page=/pricing&include=both&depth=2')
    assert.equal(both.steps.map(rowsOf), [
      [
        [':signup', 2, 0],
        ['(single visits)', 2, 2],
      ],
      [['/thanks', 2, 1]],
    ])
    assert.is(both.steps[0][0].page, null)
    const events = await pathsOf(running, 'page=/pricing&include=events')
    assert.equal([events.start.exits, rowsOf(events.steps[0])], [3, [[':signup', 2, 2]]])
    const via = await pathsOf(running, 'page=/pricing&include=both&via=event:signup')
    assert.equal([via.start.sessions, rowsOf(via.steps[0])], [2, [['/thanks', 2, 1]]])
    const before = await pathsOf(running, 'page=/thanks&include=events&direction=previous')
    assert.equal(rowsOf(before.steps[0]), [[':signup', 2, 2]])
  }))

test('the rest beyond the limit is a sum', () =>
  withService({}, async running => {
    const pages = ['/a', '/a', '/a', '/b', '/b', '/c', '/c', '/d']
    await walk(
      running,
      pages.map(page => ['/', page]),
    )
    const { steps, truncated } = await pathsOf(running, 'page=/&limit=1')
    assert.equal(truncated, true)
    assert.equal(rowsOf(steps[0]), [
      ['/a', 3, 3],
      ['(single visits)', 1, 1],
      ['(other)', 4, 4],
    ])
    assert.is((await pathsOf(running, 'page=/&limit=3')).truncated, false)
  }))

test('a session counts on the day it began, with its views past midnight, packed or not', () =>
  withService({ start: '2026-03-10T23:50:00Z' }, async running => {
    for (const visitor of [1, 2])
      for (const [index, page] of ['/evening', '/late', '/evening', '/night'].entries()) {
        running.clock.now = Date.parse('2026-03-10T23:50:00Z') + index * 6 * minute
        const headers = { 'x-forwarded-for': `203.0.${visitor}.7` }
        await running.hit({ page_url: page, age: 0, pvid: `long-enough-view-${visitor}-${index}` }, headers)
      }
    const steps = async (days: string): Promise<unknown> => {
      const { body } = await running.api(`/paths?${days}&page=/evening&depth=3`)
      return body.data.steps.map(rowsOf)
    }
    const whole = [[['/late', 2, 0]], [['/evening', 2, 0]], [['/night', 2, 2]]]
    const packedDays = (): unknown[] =>
      withFile(running.file, db => db.prepare('select day from packed_day where length(columns) > 1').pluck().all())
    const holds = async (): Promise<void> => {
      assert.equal(await steps('from=2026-03-10&to=2026-03-10'), whole)
      assert.equal(await steps('from=2026-03-11&to=2026-03-11'), [[], [], []])
      assert.equal(await steps(range), whole)
    }
    await holds()
    running.clock.now = Date.parse('2026-03-11T00:31:00Z')
    await running.settled()
    assert.equal(packedDays(), [20260310])
    await holds()
    // A session of the packed day goes on.
    await running.hit({ page_url: '/later' }, { 'x-forwarded-for': '203.0.1.7' })
    const longer = [...whole.slice(0, 2), [['/night', 2, 1]]]
    assert.equal(await steps('from=2026-03-10&to=2026-03-10'), longer)
    running.clock.now = Date.parse('2026-03-12T12:00:00Z')
    await running.settled()
    assert.equal(packedDays(), [20260310, 20260311])
    assert.equal(await steps('from=2026-03-10&to=2026-03-10'), longer)
  }))

test('filters and links hold, a page of them in addition to the start', () =>
  withService({}, async running => {
    await walk(running, shop)
    await walk(running, shop.slice(0, 2), phone, 101)
    await walk(running, shop.slice(0, 2), phone, 111)
    assert.is((await pathsOf(running, 'page=/pricing')).start.sessions, 9)
    assert.is((await pathsOf(running, 'page=/pricing&device=mobile')).start.sessions, 4)
    assert.is((await pathsOf(running, 'page=/pricing&event=signup')).start.sessions, 4)
    const link = async (filters: object): Promise<object> => {
      const body = JSON.stringify({ name: 'x', filters })
      const made = await running.api('/share-links', { method: 'POST', headers: json, body })
      return { as: 'nobody', headers: { 'x-footfall-share': made.body.token } }
    }
    const phones = await link({ device: 'mobile' })
    assert.is((await pathsOf(running, 'page=/pricing', phones)).start.sessions, 4)
    assert.is((await pathsOf(running, 'page=/pricing&device=desktop', phones)).start.sessions, 0)
    // The link shows two pages; what is between them is left out of the path.
    const two = await link({ page: '/,/thanks' })
    const { start, steps } = await pathsOf(running, 'page=/', two)
    assert.equal([start.sessions, rowsOf(steps[0])], [8, [['/thanks', 7, 6]]])
    assert.is((await pathsOf(running, 'page=/pricing', two)).start.sessions, 0)
    const { body } = await running.api(`/paths?${range}&page=/nowhere`, two)
    assert.not('unmatched' in body.meta)
    // Saved segments, too.
    const saved = { name: 'two', filters: { page: '/,/thanks' } }
    await running.api('/segments', { method: 'POST', headers: json, body: JSON.stringify(saved) })
    assert.equal((await pathsOf(running, 'page=/&segment=two')).steps, steps)
  }))

test('a start is any of some pages, and an unknown one is named', () =>
  withService({}, async running => {
    await walk(running, shop)
    assert.is((await pathsOf(running, 'page=/s*,/imprint')).start.sessions, 4)
    const { body } = await running.api(`/paths?${range}&page=/pricin&via=/shopp&country=Nowhereland,DE`)
    assert.is(body.data?.start, undefined)
    const unknown = (await running.api(`/paths?${range}&page=/pricin&via=/shopp&utm_source=x`)).body
    assert.equal([unknown.data.start.sessions, unknown.data.steps], [0, [[]]])
    assert.equal(unknown.meta.unmatched, [
      { key: 'utm_source', value: 'x', nearest: [] },
      { key: 'page', value: '/pricin', nearest: ['/pricing'] },
      { key: 'via', value: '/shopp', nearest: ['/shop'] },
    ])
    assert.match(unknown.meta.definitions.exits.text, /ended here/)
  }))

test('what cannot be walked is refused by name', () =>
  withService({}, async running => {
    const refused: [query: string, field: string][] = [
      ['depth=5', 'depth'],
      ['depth=0', 'depth'],
      ['depth=3&via=/a,/b', 'depth'],
      ['via=/a,/b,/c,/d', 'via'],
      ['via=/a,,/b', 'via'],
      ['via=', 'via'],
      ['page=', 'page'],
      ['page=!/a', 'page'],
      ['direction=up', 'direction'],
      ['include=all', 'include'],
      ['limit=0', 'limit'],
      ['contry=DE', 'contry'],
    ]
    for (const [query, field] of refused) {
      const { status, body } = await running.api(`/paths?${range}&${query}`)
      assert.equal([status, Object.keys(body.data?.params ?? {})], [400, [field]], query)
    }
    withFile(running.file, db => setRawFrom(db, 20260311))
    const early: Answer = await running.api(`/paths?${range}`)
    assert.is(early.status, 400)
    assert.match(early.body.data.params.from, /2026-03-11: paths read single visits/)
    assert.is((await running.api('/paths?from=2026-03-11&to=2026-03-11')).status, 200)
  }))

test('nodes are compared with those of another range, but for what one session alone did', () =>
  withService({ start: '2026-03-09T12:00:00Z' }, async running => {
    // Nothing is compared with the first day, which was counted in part.
    await running.hit({ page_url: '/' })
    running.clock.now = Date.parse('2026-03-10T12:00:00Z')
    await walk(running, shop)
    running.clock.now = Date.parse('2026-03-11T12:00:00Z')
    await walk(running, [...shop, ['/pricing', '/thanks'], ['/pricing', '/imprint']], firefox, 50)
    const compared = async (query: string): Promise<unknown[][]> => {
      const { body } = await running.api(`/paths?from=2026-03-11&to=2026-03-11&page=/pricing&${query}`)
      const { start, steps } = body.data
      return [start, ...steps[0]].map(({ page, event, sessions, previous, change }: any) => [
        page ?? `:${event}`,
        sessions,
        previous,
        change,
      ])
    }
    const whole = [
      ['/pricing', 7, 5, 0.4],
      ['/thanks', 4, 3, 0.3333],
      ['(single visits)', 2, null, null],
    ]
    assert.equal(await compared('compare=2026-03-10..2026-03-10'), whole)
    // Until the present time of day, which all sessions of the day before had begun by.
    assert.equal(await compared('compare=previous'), whole)
    running.clock.now = Date.parse('2026-03-12T12:00:00Z')
    await running.settled()
    assert.equal(await compared('compare=previous'), whole)
    assert.equal(await compared('compare=previous&include=events'), [
      ['/pricing', 7, 5, 0.4],
      [':signup', 2, 2, 0],
    ])
    assert.equal(await compared('compare=previous&include=both&via=event:signup'), [
      ['/pricing', 2, 2, 0],
      ['/thanks', 2, 2, 0],
    ])
    assert.equal(await compared('via=/shop&compare=previous'), [['/pricing', null, undefined, undefined]])
    // Only sessions that had begun by this time of the day before.
    running.clock.now = Date.parse('2026-03-11T12:05:30Z')
    const [[, , previous] = []] = await compared('compare=previous')
    assert.is(previous, null)
    const { meta } = (await running.api('/paths?from=2026-03-11&to=2026-03-11&compare=previous')).body
    assert.equal(meta.compared, { from: '2026-03-10', to: '2026-03-10' })
  }))

test('explain shows what was read', () =>
  withService({}, async running => {
    await walk(running, shop)
    const { explain } = (await running.api(`/paths?${range}&page=/pricing&explain=1`)).body.meta
    const read = explain.map(({ sql }: { sql: string }) => sql).join('\n')
    assert.match(read, /packed_day/)
    assert.match(read, /main\.view/)
  }))

test('the command line shows steps as a table', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    await withService({ file: data }, running => walk(running, shop))
    const run = (query: string, ...more: string[]) =>
      footfallHere(['report', query, '--from', '2026-03-10', '--to', '2026-03-11', '--data', data, ...more])
    const shown = await run('paths?page=/pricing&direction=next&depth=2')
    assert.is(shown.status, 0, shown.stderr)
    assert.match(shown.stdout, /start\.sessions +5/)
    assert.match(shown.stdout, /STEP +PAGE +SESSIONS +SHARE +EXITS\n +1 +\/thanks +3 +0\.6 +2\n/)
    assert.match(
      (await run('paths?page=/pricing', '--csv')).stdout,
      /^step,page,sessions,share,exits\r?\n1,\/thanks,3,0.6,2/,
    )
    assert.match((await run('paths?page=/nowhere')).stdout, /No page is called "\/nowhere"/)
    assert.equal((await run('paths?depth=5')).status, 2)
  }))

test.run()
