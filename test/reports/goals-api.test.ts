// Goals and funnels as resources: saving, refusals, values, previews, share links, the command line, and days whose
// single visits are gone.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'

import { sendRecord } from '../support/records.ts'
import { type Answer, firefox, type Running, withService } from '../support/service.ts'
import { order as orderOf, sendEvent, shopOf } from '../support/shop.ts'

const json = { 'content-type': 'application/json' }
const today = 'from=2026-03-10&to=2026-03-10'

const send = ({ api }: Running, method: string, path: string, body?: object): Promise<Answer> =>
  api(path, { method, headers: json, ...(body !== undefined && { body: JSON.stringify(body) }) })

const visit = async (
  { hit, service }: Running,
  visitor: number,
  pages: readonly string[],
  event?: { name: string; [key: string]: unknown },
): Promise<void> => {
  const headers = { 'x-forwarded-for': `81.2.${visitor}.1`, 'user-agent': firefox }
  for (const page of pages) await hit({ page_url: page }, headers)
  if (event === undefined) return
  const { status } = await sendRecord(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body: JSON.stringify(event),
    headers: { 'content-type': 'text/plain', ...headers },
  })
  assert.is(status, 204)
}

/** Three visits: one buys, one signs up, one only looks. */
const record = async (running: Running): Promise<void> => {
  await visit(running, 1, ['/', '/cart', '/thanks'], { name: 'purchase', value: 20.5, properties: { plan: 'Pro' } })
  await visit(running, 2, ['/', '/blog/a'], { name: 'signup', value: 1 })
  await visit(running, 3, ['/', '/cart', '/help'])
  await running.settled()
}

const refused = async (running: Running, path: string, body: object): Promise<string[]> => {
  const { status, body: answer } = await send(running, 'POST', path, body)
  assert.is(status, 400, JSON.stringify(answer))
  return Object.keys(answer.data.params)
}

test('a goal counts at once, also before it was made, and a new rule makes it a new goal', () =>
  withService({}, async running => {
    await record(running)
    const { api } = running
    const made = await send(running, 'POST', '/goals', { name: 'Thanks', kind: 'page', pattern: '/thanks/' })
    assert.equal(
      [made.status, made.body],
      [
        201,
        {
          id: 1,
          name: 'Thanks',
          kind: 'page',
          pattern: '/thanks',
          threshold: null,
          property: null,
          value_from: 'none',
          value: null,
          position: 1,
          created_at: '2026-03-10T12:00:00Z',
        },
      ],
    )
    const row = async (): Promise<any> => (await api(`/goals/report?${today}`)).body.data[0]
    assert.equal(await row(), {
      goal_id: 1,
      name: 'Thanks',
      kind: 'page',
      sessions: 1,
      visitors: 1,
      total: 1,
      conversion_rate: 0.3333,
      value: null,
      value_per_session: null,
      known_from: null,
    })
    const worth = { name: 'Thanks', kind: 'page', pattern: '/thanks', value_from: 'fixed', value: 4.5 }
    assert.is((await send(running, 'PUT', '/goals/1', worth)).body.id, 1)
    assert.equal([(await row()).value, (await row()).value_per_session], [4.5, 1.5])
    const other = await send(running, 'PUT', '/goals/1', { ...worth, pattern: '/cart,/t*' })
    assert.is(other.body.id, 2)
    assert.is((await row()).sessions, 2)
    assert.equal((await api('/goals/1')).status, 404)
    assert.equal((await send(running, 'DELETE', '/goals/2')).body, { deleted: true })
    assert.equal((await api('/goals')).body, [])
  }))

test('values come from events, a preview saves nothing, and unknown names are warned of', () =>
  withService({}, async running => {
    await record(running)
    const { api } = running
    const purchase = { name: 'Bought', kind: 'event', pattern: 'purchase', value_from: 'event' }
    const preview = await send(running, 'POST', '/goals/preview', purchase)
    assert.equal(preview.body, {
      from: '2026-02-09',
      to: '2026-03-10',
      sessions: 1,
      visitors: 1,
      total: 1,
      conversion_rate: 0.3333,
    })
    assert.equal((await api('/goals')).body, [])
    const pro = { ...purchase, name: 'Pro', property: { key: 'plan', value: 'pro' } }
    assert.is((await send(running, 'POST', '/goals', purchase)).body.warnings, undefined)
    await send(running, 'POST', '/goals', pro)
    const unknown = await send(running, 'POST', '/goals', {
      ...pro,
      name: 'Size',
      property: { key: 'size', value: 'L' },
    })
    assert.equal(unknown.body.warnings, ['No event has size=L so far.'])
    const { data } = (await api(`/goals/report?${today}`)).body
    assert.equal(
      data.map(({ sessions, value }: any) => [sessions, value]),
      [
        [1, 20.5],
        [1, 20.5],
        [0, 0],
      ],
    )
    const { body } = await api(`/goals/1/breakdown?by=entry_page&${today}`)
    assert.equal(body.data, [
      {
        key: '/',
        within: null,
        all_sessions: 3,
        sessions: 1,
        visitors: 1,
        total: 1,
        conversion_rate: 0.3333,
        value: 20.5,
        value_per_session: 6.8333,
      },
    ])
  }))

test('values by orders are the net revenue of the orders that these visits made, also after a cancellation', () =>
  withService({ start: '2026-03-10T10:00:00Z' }, async running => {
    await record(running)
    const { api, clock } = running
    const shop = shopOf(running)
    const buyer = { 'x-forwarded-for': '81.2.9.1', 'user-agent': firefox }
    await running.hit({ page_url: '/cart' }, buyer)
    await sendEvent(running, { name: 'purchase', order_id: '77' }, '81.2.9.1')
    const bought = orderOf({ id: 77 })
    await shop.push(bought)
    await running.settled()
    const goal = { kind: 'page', value_from: 'order' }
    await send(running, 'POST', '/goals', { ...goal, name: 'Cart', pattern: '/cart' })
    await send(running, 'POST', '/goals', { ...goal, name: 'Blog', pattern: '/blog/*,/help' })
    const values = async (): Promise<unknown> =>
      (await api(`/goals/report?${today}`)).body.data.map(({ sessions, value }: any) => [sessions, value])
    assert.equal(await values(), [
      [3, 10],
      [2, 0],
    ])
    const { data } = (await api(`/goals/1/breakdown?by=channel&${today}`)).body
    assert.equal(
      data.map(({ key, value }: any) => [key, value]),
      [['Direct', 10]],
    )
    // The same from the packed day.
    clock.now += 86_400_000
    await running.settled()
    await running.settled()
    assert.equal(await values(), [
      [3, 10],
      [2, 0],
    ])
    await shop.push({ ...bought, status: 'cancelled', date_modified_gmt: '2026-03-11T10:00:05' })
    assert.equal(await values(), [
      [3, 0],
      [2, 0],
    ])
  }))

test('what cannot be a goal or a funnel is refused with its field', () =>
  withService({}, async running => {
    const goal = { name: 'A', kind: 'page', pattern: '/a' }
    const cases: [object, string][] = [
      [{ ...goal, pattern: ' ' }, 'pattern'],
      [{ ...goal, pattern: 'thanks' }, 'pattern'],
      [{ ...goal, pattern: '/a**' }, 'pattern'],
      [{ ...goal, pattern: '!/a' }, 'pattern'],
      [{ ...goal, pattern: Array.from({ length: 11 }, (_, index) => `/${index}`).join(',') }, 'pattern'],
      [{ ...goal, threshold: 5 }, 'threshold'],
      [{ ...goal, kind: 'scroll' }, 'threshold'],
      [{ ...goal, kind: 'scroll', threshold: 101 }, 'threshold'],
      [{ ...goal, property: { key: 'a', value: 'b' } }, 'property'],
      [{ ...goal, value_from: 'fixed' }, 'value'],
      [{ ...goal, value: 3 }, 'value'],
      [{ ...goal, value_from: 'event' }, 'value_from'],
      [{ ...goal, name: '' }, 'name'],
      [{ ...goal, kind: 'click' }, 'kind'],
    ]
    for (const [body, field] of cases)
      assert.equal(await refused(running, '/goals', body), [field], JSON.stringify(body))
    await send(running, 'POST', '/goals', goal)
    assert.equal(await refused(running, '/goals', { ...goal, name: 'a' }), ['name'])
    const step = { kind: 'page', pattern: '/a' }
    const other = { kind: 'event', pattern: 'b' }
    for (const steps of [
      [step],
      [step, step],
      [step, { kind: 'scroll', pattern: '/b' }],
      Array(9).fill(other),
      [step, { ...other, pattern: '' }],
    ])
      assert.match((await refused(running, '/funnels', { name: 'F', steps })).join(), /^steps/)
    assert.is((await running.api('/goals')).body.length, 1)
    assert.is((await running.api('/funnels')).body.length, 0)
    for (let index = 2; index <= 100; index++) await send(running, 'POST', '/goals', { ...goal, name: `Goal ${index}` })
    assert.equal(await refused(running, '/goals', { ...goal, name: 'One too many' }), ['name'])
    const unknown = await running.api(`/summary?${today}&goal=nothing`)
    assert.equal(unknown.body.data.params, { goal: 'There is no goal nothing.' })
  }))

test('each number of a goal and a funnel has its bounds', () =>
  withService({}, async running => {
    const statusOf = async (path: string, body: object): Promise<number> =>
      (await send(running, 'POST', path, body)).status
    const list = (count: number, of = '/p'): string => Array.from({ length: count }, (_, at) => `${of}${at}`).join(',')
    const goal = { name: 'A', kind: 'page', pattern: '/a' }
    const event = { ...goal, kind: 'event', pattern: 'a' }
    const scroll = { ...goal, kind: 'scroll' }
    const seconds = { ...goal, kind: 'seconds' }
    const fixed = { ...goal, value_from: 'fixed' }
    const cases: [what: string, good: object[], bad: object[]][] = [
      ['alternatives', [{ ...goal, pattern: list(10) }], [{ ...goal, pattern: list(11) }]],
      ['alternatives of events', [{ ...event, pattern: list(10, 'e') }], [{ ...event, pattern: list(11, 'e') }]],
      [
        'length of a page',
        [1023, 1024].map(length => ({ ...goal, pattern: `/${'p'.repeat(length - 1)}` })),
        [{ ...goal, pattern: `/${'p'.repeat(1024)}` }],
      ],
      [
        'length of an event',
        [99, 100].map(length => ({ ...event, pattern: 'e'.repeat(length) })),
        [{ ...event, pattern: 'e'.repeat(101) }],
      ],
      [
        'percent',
        [1, 99, 100].map(threshold => ({ ...scroll, threshold })),
        [-1, 0, 0.5, 101].map(threshold => ({ ...scroll, threshold })),
      ],
      [
        'seconds',
        [1, 86_399, 86_400].map(threshold => ({ ...seconds, threshold })),
        [0, 86_401].map(threshold => ({ ...seconds, threshold })),
      ],
      ['value', [0, 1e9].map(value => ({ ...fixed, value })), [-0.01, 1e9 + 0.01].map(value => ({ ...fixed, value }))],
      [
        'name',
        [1, 100].map(length => ({ ...goal, name: 'n'.repeat(length) })),
        [0, 101].map(length => ({ ...goal, name: 'n'.repeat(length) })),
      ],
      [
        'position',
        [0, 1000].map(position => ({ ...goal, position })),
        [-1, 1001].map(position => ({ ...goal, position })),
      ],
    ]
    for (const [what, good, bad] of cases) {
      for (const body of good) assert.is(await statusOf('/goals/preview', body), 200, `${what} ${JSON.stringify(body)}`)
      for (const body of bad) assert.is(await statusOf('/goals/preview', body), 400, `${what} ${JSON.stringify(body)}`)
    }
    const funnel = (steps: number, name = 'F') => ({
      name,
      steps: Array.from({ length: steps }, (_, step) => ({ kind: 'page', pattern: `/${step}` })),
    })
    for (const [steps, status] of [
      [1, 400],
      [2, 200],
      [8, 200],
      [9, 400],
    ] as const)
      assert.is(await statusOf('/funnels/preview', funnel(steps)), status, `${steps} steps`)
    for (let number = 1; number <= 21; number++)
      assert.is(await statusOf('/funnels', funnel(2, `Funnel ${number}`)), number <= 20 ? 201 : 400, `funnel ${number}`)
    const { id, steps } = (await send(running, 'GET', '/funnels')).body[0]
    for (const [step, status] of [
      [0, 400],
      [1, 200],
      [steps.length, 200],
      [steps.length + 1, 400],
    ])
      assert.is((await running.api(`/summary?${today}&funnel=${id}:${step}`)).status, status, `step ${step}`)
  }))

test('a goal with another rule, value or name keeps its place, unless it is given one', () =>
  withService({}, async running => {
    const goal = (name: string, pattern = `/${name}`) => ({ name, kind: 'page', pattern })
    for (const name of ['a', 'b', 'c']) await send(running, 'POST', '/goals', goal(name))
    const change = async (name: string, body: object): Promise<string[]> => {
      const { id } = (await running.api('/goals')).body.find((one: any) => one.name === name)
      assert.is((await send(running, 'PUT', `/goals/${id}`, body)).status, 200)
      return (await running.api('/goals')).body.map((one: any) => `${one.name} ${one.pattern} ${one.position}`)
    }
    assert.equal(await change('a', goal('a', '/other')), ['a /other 1', 'b /b 2', 'c /c 3'])
    assert.equal(await change('b', goal('b', '/new')), ['a /other 1', 'b /new 2', 'c /c 3'])
    assert.equal(await change('b', { ...goal('d', '/new'), value_from: 'fixed', value: 2 }), [
      'a /other 1',
      'd /new 2',
      'c /c 3',
    ])
    assert.equal(await change('a', { ...goal('a', '/last'), position: 4 }), ['d /new 2', 'c /c 3', 'a /last 4'])
    assert.equal(await change('c', { ...goal('c', '/c'), position: 0 }), ['c /c 0', 'd /new 2', 'a /last 4'])
  }))

const order = {
  name: 'Order',
  steps: [
    { kind: 'page', pattern: '/' },
    { kind: 'page', pattern: '/cart' },
    { kind: 'event', pattern: 'purchase' },
  ],
}

test('a funnel shows where those went that it lost', () =>
  withService({}, async running => {
    await record(running)
    const { id } = (await send(running, 'POST', '/funnels', order)).body
    const { body } = await running.api(`/funnels/${id}/report?${today}`)
    assert.equal(
      body.data.steps.map(({ name, sessions, dropped, exits, next_instead }: any) => ({
        name,
        sessions,
        dropped,
        exits,
        next_instead,
      })),
      [
        { name: '/', sessions: 3, dropped: 1, exits: 0, next_instead: [{ page: '/blog/a', sessions: 1 }] },
        { name: '/cart', sessions: 2, dropped: 1, exits: 0, next_instead: [{ page: '/help', sessions: 1 }] },
        { name: 'purchase', sessions: 1, dropped: 0, exits: 0, next_instead: [] },
      ],
    )
    assert.is(body.data.conversion, 0.3333)
    assert.equal((await send(running, 'POST', '/funnels/preview', order)).body.steps.at(-1), { step: 3, sessions: 1 })
    for (const [step, sessions] of [
      [`${id}:2`, 2],
      [`Order:3`, 1],
      ['!order', 2],
    ] as const) {
      const { totals } = (await running.api(`/summary?${today}&funnel=${step}`)).body.data
      assert.is(totals.sessions, sessions, step)
    }
    const { data } = (await running.api(`/filters/funnel?${today}`)).body
    assert.equal(data, [{ value: String(id), label: 'Order', sessions: 1 }])
  }))

test('a share link shows goals and funnels only if it was made so', () =>
  withService({}, async running => {
    await record(running)
    await send(running, 'POST', '/goals', { name: 'Cart', kind: 'page', pattern: '/cart' })
    await send(running, 'POST', '/funnels', order)
    const asLink = async (goals: boolean): Promise<number[]> => {
      const filters = { country: '!DE' }
      const { token } = (await send(running, 'POST', '/share-links', { name: `Link ${goals}`, filters, goals })).body
      const statuses = []
      for (const path of [
        `/goals?`,
        `/goals/report?${today}`,
        `/goals/1/breakdown?by=channel&${today}`,
        `/funnels?`,
        `/funnels/1/report?${today}`,
        `/summary?${today}&goal=1`,
        `/pages?${today}&funnel=1`,
        `/filters/goal?${today}`,
        `/summary?${today}`,
      ])
        statuses.push((await running.api(path, { as: 'nobody', headers: { 'x-footfall-share': token } })).status)
      return statuses
    }
    assert.equal(await asLink(true), Array(9).fill(200))
    assert.equal(await asLink(false), [...Array(8).fill(403), 200])
  }))

/** The command waits for the service to bring the days up to date, which here runs no job by itself. */
const forget = async (running: Running, ...args: string[]): Promise<void> => {
  let isDone = false
  const ran = footfallHere(['forget', ...args, '--data', running.file]).finally(() => {
    isDone = true
  })
  while (!isDone) await running.settled()
  const { status, stderr } = await ran
  assert.equal([status, stderr], [0, ''])
}

test('goals and funnels of days without single visits stay as they were counted', () =>
  withService({ start: '2026-01-10T12:00:00Z' }, async running => {
    const { api, clock, file } = running
    for (let day = 0; day < 3; day++) {
      await record(running)
      clock.now += 86_400_000
    }
    await send(running, 'POST', '/goals', { name: 'Cart or blog', kind: 'page', pattern: '/cart,/blog/*' })
    await send(running, 'POST', '/goals', { name: 'Thanks', kind: 'page', pattern: '/thanks' })
    await send(running, 'POST', '/goals', {
      name: 'Pro',
      kind: 'event',
      pattern: 'purchase',
      property: { key: 'plan', value: 'pro' },
      value_from: 'event',
    })
    await send(running, 'POST', '/funnels', order)
    await running.settled()
    const days = 'from=2026-01-10&to=2026-01-12'
    const read = async () => [
      (await api(`/goals/report?${days}`)).body.data.map(({ known_from: _, ...row }: any) => row),
      (await api(`/funnels/1/report?${days}`)).body.data,
    ]
    const before = await read()
    assert.equal(
      before[0].map(({ sessions }: any) => sessions),
      [9, 3, 3],
    )
    assert.is(before[0][2].value, 61.5)
    // The retention is 30 days at least.
    await send(running, 'PUT', '/settings', { retention_days: 30 })
    clock.now = Date.parse('2026-02-11T12:00:00Z')
    await send(running, 'POST', '/cron/run', { jobs: ['rollup'] })
    const purged = await send(running, 'POST', '/cron/run', { jobs: ['retention'] })
    assert.match(JSON.stringify(purged.body), /[1-9]\d* rows deleted/)
    assert.equal(await read(), before)
    const { body } = await api(`/goals/report?from=2026-01-01&to=2026-01-12`)
    assert.equal(
      body.data.map(({ known_from }: any) => known_from),
      ['2026-01-10', null, '2026-01-10'],
    )
    assert.is(body.meta.known_from, '2026-01-10')
    // A goal that is made later knows of these days only what rollups hold.
    await send(running, 'POST', '/goals', { name: 'Late', kind: 'page', pattern: '/cart,/thanks' })
    await send(running, 'POST', '/goals', { name: 'Late page', kind: 'page', pattern: '/cart' })
    const late = (await api(`/goals/report?from=2026-01-10&to=2026-02-11`)).body.data.slice(3)
    assert.equal(
      late.map(({ sessions, known_from }: any) => [sessions, known_from]),
      [
        [2, '2026-01-12'],
        [6, null],
      ],
    )
    assert.is((await api(`/summary?${days}&goal=1`)).status, 400)
    const { db } = openDatabase(file)
    assert.is(db.prepare('select count(*) from goal_day').pluck().get(), 6)
    db.close()
    // An archive brings goals and funnels with what they counted into a new file.
    await withFolder(async folder => {
      const [archive, copy] = [join(folder, 'all.ndjson'), join(folder, 'copy.db')]
      assert.is((await footfallHere(['export', archive, '--format', 'archive', '--data', file])).status, 0)
      const restored = await footfallHere(['import', archive, '--format', 'archive', '--data', copy])
      assert.is(restored.status, 0, restored.stderr)
      const start = new Date(clock.now).toISOString()
      await withService({ file: copy, start, flags: { timezone: 'UTC' } }, async ({ api: ask }) => {
        const rows = (await ask(`/goals/report?${days}`)).body.data.map(({ known_from: _, ...row }: any) => row)
        assert.equal(rows.slice(0, 3), before[0])
        assert.equal((await ask(`/funnels/1/report?${days}`)).body.data, before[1])
      })
    })
    // Erasing a day takes what was counted on it, and erasing a page its name.
    await forget(running, '--day', '2026-01-10')
    await forget(running, '--page', '/help')
    const [goals, funnel] = await read()
    assert.equal(goals.map(({ sessions }: any) => sessions).slice(0, 3), [6, 2, 2])
    assert.equal(
      funnel.steps.map(({ sessions, next_instead }: any) => [sessions, next_instead]),
      [
        [6, [{ page: '/blog/a', sessions: 2 }]],
        [4, []],
        [2, []],
      ],
    )
    await send(running, 'DELETE', '/goals/1')
  }))

test('a visit that only sends an event after midnight is selected by what it did before, packed or not', () =>
  withService({ start: '2026-03-10T23:50:00Z' }, async running => {
    await visit(running, 1, ['/cart'], { name: 'look' })
    running.clock.now += 15 * 60_000
    await visit(running, 1, [], { name: 'signup' })
    await visit(running, 2, ['/'])
    await send(running, 'POST', '/goals', { name: 'Signup', kind: 'event', pattern: 'signup' })
    const holds = async (): Promise<void> => {
      for (const filter of ['page=/cart', 'event=look', 'event=!never', 'entry_page=/cart'])
        for (const [day, expected] of [
          ['10', 0],
          ['11', 1],
        ] as const) {
          const path = `/goals/report?from=2026-03-${day}&to=2026-03-${day}&${filter}`
          assert.is((await running.api(path)).body.data[0].sessions, expected, path)
        }
    }
    await holds()
    running.clock.now += 24 * 3600 * 1000
    await running.settled()
    const packed = withFile(running.file, db =>
      db.prepare('select day from packed_day where length(columns) > 1').pluck().all(),
    )
    assert.equal(packed, [20260310, 20260311])
    await holds()
  }))

test('explain lists the statements that goals and funnels are counted with', () =>
  withService({}, async running => {
    await record(running)
    const shop = { kind: 'event', pattern: 'purchase', property: { key: 'plan', value: 'pro' } }
    await send(running, 'POST', '/goals', { name: 'Pro', ...shop, value_from: 'event' })
    await send(running, 'POST', '/funnels', { name: 'Pro', steps: [{ kind: 'page', pattern: '/cart' }, shop] })
    running.clock.now += 24 * 3600 * 1000
    await running.settled()
    const read = async (path: string): Promise<any[]> =>
      (await running.api(`${path}${today}&explain=1`)).body.meta.explain
    const part = (explain: any[], words: string): any => explain.find(({ sql }) => sql.includes(words))
    for (const path of ['/goals/report?', '/goals/1/breakdown?by=channel&', '/funnels/1/report?']) {
      const explain = await read(path)
      for (const words of ['from packed_day', 'from event_property']) {
        const { rows, params } = part(explain, words) ?? {}
        assert.is(rows, 1, `${words} of ${path}`)
        assert.ok(params !== undefined)
      }
    }
    assert.is(part(await read('/goals/report?'), 'from main.event')?.rows, 1, 'the values of events')
  }))

test('goals are added, listed and removed on the command line, and reported by short names', () =>
  withService({}, async running => {
    await record(running)
    const run = (...args: string[]) => footfallHere([...args, '--data', running.file])
    assert.is((await run('goal', 'add', 'Thanks', '--page', '/thanks*', '--value', '3')).status, 0)
    assert.is((await run('goal', 'add', 'Pro', '--event', 'purchase', '--property', 'plan=pro')).status, 0)
    assert.is((await run('goal', 'add', 'Read', '--scroll', '75')).status, 0)
    assert.is((await run('goal', 'add', 'Bad')).status, 2)
    assert.match((await run('goal', 'list')).stdout, /Thanks +page +\/thanks\*/)
    const rows = JSON.parse((await run('report', `goals?${today}`, '--json')).stdout).data
    assert.equal(
      rows.map(({ name, sessions, value }: any) => [name, sessions, value]),
      [
        ['Thanks', 1, 3],
        ['Pro', 1, null],
        ['Read', 0, null],
      ],
    )
    assert.is((await run('goal', 'remove', 'pro')).status, 0)
    assert.is((await run('goal', 'remove', 'pro')).status, 1)
    await send(running, 'POST', '/funnels', order)
    assert.match((await run('report', `funnels/1?${today}`)).stdout, /\/cart/)
  }))

test.run()
