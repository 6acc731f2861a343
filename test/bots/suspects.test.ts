// Visits that look automated: judged when they end, counted or left out, as if they had never come.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import { machine, person, putBots } from '../support/suspects.ts'

const json = { 'content-type': 'application/json' }

const range = 'from=2026-03-09&to=2026-03-12'

const reports = [
  `/summary?${range}`,
  `/summary?${range}&country=DE&device=mobile`,
  `/pages?${range}`,
  `/pages/entry?${range}`,
  `/pages/exit?${range}`,
  `/sources?${range}`,
  `/events?${range}`,
  `/paths?${range}`,
  `/dimensions/suspect?${range}`,
  `/dimensions/browser?${range}`,
  `/dimensions/host?${range}`,
  `/dimensions/hour?${range}`,
  `/utm?${range}&group_by=source`,
  `/summary?${range}&page=/shared`,
  `/revenue/funnel?${range}`,
]

/** One report at a time, so that a difference is told by its name. */
const assertSame = (found: readonly unknown[], expected: readonly unknown[]): void => {
  for (const [index, one] of expected.entries()) assert.equal(found[index], one)
}

const figures = async ({ api }: Running): Promise<unknown[]> => {
  const answers = []
  for (const path of reports) {
    const { body, status } = await api(path)
    answers.push([path, status, status === 200 ? body.data : body.code])
  }
  return answers
}

/** Three days of people and, if wanted, of machines among them; one of them shares its address with a person. */
const traffic = async (running: Running, withMachines: boolean): Promise<void> => {
  const { clock } = running
  for (const day of [0, 1, 2]) {
    clock.now = Date.parse('2026-03-10T22:50:00Z') + day * 86_400_000
    for (const index of [1, 2, 3]) await person(running, `/p${index}`, `198.51.${index}.1`)
    if (withMachines) for (const index of [1, 2, 3, 4]) await machine(running, '/shared', `192.0.${index}.2`)
    await person(running, '/shared', '192.0.1.2', { referrer: 'https://www.google.com/' })
    clock.now += 75 * 60_000
    await person(running, '/late', '198.51.1.1')
    if (withMachines) await machine(running, '/late?utm_source=spam', '192.0.9.2')
  }
  clock.now += 2 * 3_600_000
  await running.settled()
}

test('two kinds of evidence make a visit suspect, one does not', () =>
  withService({ flags: { 'trust-proxy': '127.0.0.1' } }, async running => {
    await machine(running, '/', '192.0.2.1')
    await running.hit(
      { page_url: 'https://example.org/', screen_width: 0, screen_height: 0 },
      { 'x-forwarded-for': '192.0.22.2', 'accept-language': 'de' },
    )
    await person(running, '/', '192.0.23.3')
    await running.settled()
    const { body } = await running.api('/dimensions/suspect?from=2026-03-10&to=2026-03-10')
    assert.equal(
      body.data.map((row: { key: string; sessions: number }) => [row.key, row.sessions]),
      [
        ['people', 2],
        ['suspect', 1],
      ],
    )
    const only = await running.api('/summary?from=2026-03-10&to=2026-03-10&suspect=1')
    assert.is(only.body.data.totals.sessions, 1)
    const bots = (await running.api('/bots?from=2026-03-10&to=2026-03-10')).body.data
    assert.is(bots.visits, 3)
    assert.is(bots.suspect, 1)
    assert.is(bots.people.sessions, 2)
    assert.equal(bots.days[0].rules, { no_accept_language: 1, no_screen: 1 })
  }))

test('a visit is left out as if it had never come, also on days gone by, and comes back', () =>
  withFolder(async folder => {
    const expected = { data: [] as unknown[] }
    await withService(
      { file: join(folder, 'people.db'), start: '2026-03-10T22:00:00Z', flags: { 'trust-proxy': '127.0.0.1' } },
      async running => {
        await traffic(running, false)
        expected.data = await figures(running)
      },
    )
    await withService(
      { file: join(folder, 'all.db'), start: '2026-03-10T22:00:00Z', flags: { 'trust-proxy': '127.0.0.1' } },
      async running => {
        await traffic(running, true)
        const counted = await figures(running)
        assert.not.equal(counted, expected.data)
        assert.is((await putBots(running, { suspects: 'leave_out' })).status, 200)
        await running.settled()
        assertSame(await figures(running), expected.data)
        assert.is((await running.api(`/summary?${range}`)).body.meta.suspects.left_out, true)
        await putBots(running, { suspects: 'leave_out' })
        await running.restart()
        await running.settled()
        assertSame(await figures(running), expected.data)
        // Rules that met people: their visits are back.
        await putBots(running, { ignored: ['no_screen', 'no_accept_language'] })
        await running.settled()
        assert.equal((await running.api(`/summary?${range}`)).body.data.totals, (counted[0] as any)[2].totals)
        await putBots(running, { suspects: 'count', ignored: [] })
        await running.settled()
        assertSame(await figures(running), counted)
      },
    )
  }))

const post = async (running: Running, kind: string, body: object, address: string): Promise<void> => {
  const { status } = await running.api(`/${kind}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...json, 'user-agent': firefox, 'x-forwarded-for': address, 'accept-language': 'de' },
  })
  assert.is(status, 204)
}

/** A screen of 0 × 0 is the only evidence when the visit begins. */
const quiet = ({ hit }: Running, path: string, address: string, pvid?: string) =>
  hit(
    { page_url: `https://example.org${path}`, screen_width: 0, screen_height: 0, ...(pvid && { pvid }) },
    { 'x-forwarded-for': address, 'accept-language': 'de' },
  )

const rulesOf = async ({ api }: Running): Promise<Record<string, number>> =>
  (await api('/bots?from=2026-03-10&to=2026-03-10')).body.data.days[0].rules

const proxied = { flags: { 'trust-proxy': '127.0.0.1' } }

test('a visit is judged by its pace and its presence once it has ended, and again for what came late', () =>
  withService(proxied, async running => {
    const { clock } = running
    await quiet(running, '/', '192.0.1.1', 'view-of-nobody')
    for (let page = 0; page < 8; page++) {
      clock.now += 10_000
      await quiet(running, `/even/${page}`, '192.0.2.1')
    }
    await running.settled()
    assert.equal(await rulesOf(running), {}, 'no visit has ended')
    clock.now += 31 * 60_000
    await running.settled()
    assert.equal(await rulesOf(running), { no_screen: 2, equal_gaps: 1, nobody_there: 1 })
    await post(
      running,
      'engagement',
      { page_url: 'https://example.org/', pvid: 'view-of-nobody', engagement_time: 40 },
      '192.0.1.1',
    )
    clock.now += 60_000
    await running.settled()
    assert.equal(await rulesOf(running), { no_screen: 1, equal_gaps: 1 })
    const { body } = await running.api('/dimensions/suspect?from=2026-03-10&to=2026-03-10')
    assert.equal(
      body.data.map((row: { key: string; views: number }) => [row.key, row.views]),
      [
        ['people', 1],
        ['suspect', 8],
      ],
    )
  }))

test('a visit with a purchase is in the figures whatever fires', () =>
  withService(proxied, async running => {
    await putBots(running, { suspects: 'leave_out' })
    await machine(running, '/checkout', '192.0.1.1')
    await machine(running, '/other', '192.0.2.1')
    await running.settled()
    const visits = async () =>
      (await running.api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals.sessions as number
    assert.is(await visits(), 0)
    await post(
      running,
      'event',
      { name: 'purchase', page_url: 'https://example.org/checkout', order_id: '7' },
      '192.0.1.1',
    )
    await running.settled()
    assert.is(await visits(), 1)
    running.clock.now += 2 * 3_600_000
    await running.settled()
    assert.is(await visits(), 1)
  }))

test('a rule of headers that fires for most visits of a day is off from that day on, until it no longer does', () =>
  withService(proxied, async running => {
    const { api, clock } = running
    const stateOf = async () => {
      const { rules } = (await api('/bots?from=2026-03-10&to=2026-03-12')).body.data
      return rules.find((one: { rule: string }) => one.rule === 'no_accept_language')
    }
    for (let index = 1; index <= 20; index++) await machine(running, '/', `192.0.${index}.1`)
    for (let index = 1; index <= 15; index++) await person(running, '/', `198.51.${index}.1`)
    clock.now += 24 * 3_600_000
    await machine(running, '/', '192.0.2.1')
    clock.now += 3_600_000
    await running.settled()
    await running.settled()
    const off = await stateOf()
    assert.equal([off.state, off.off_since, off.suspect], ['off', '2026-03-10T00:00:00Z', 21])
    // The next day has others, so that the rule counts again.
    for (let index = 1; index <= 35; index++) await person(running, '/', `198.51.${index}.1`)
    await machine(running, '/', '192.0.3.1')
    clock.now += 24 * 3_600_000
    await running.settled()
    await running.settled()
    assert.is((await stateOf()).state, 'on')
  }))

test.run()
