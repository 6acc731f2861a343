// Visits that look automated: judged when they end, counted or left out, as if they had never come.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { phone, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }

/** Sends a hit without Accept-Language and from a screen of 0 × 0, as no person does: headers and device. */
const machine = ({ hit }: Running, path: string, address: string, more: object = {}) =>
  hit(
    { page_url: `https://example.org${path}`, screen_width: 0, screen_height: 0, ...more },
    { 'x-forwarded-for': address, 'accept-language': '', origin: 'https://example.org' },
  )
const person = ({ hit }: Running, path: string, address: string, more: object = {}) =>
  hit(
    { page_url: `https://example.org${path}`, screen_width: 390, screen_height: 844, language: 'de', ...more },
    { 'x-forwarded-for': address, 'user-agent': phone, 'accept-language': 'de-DE,de;q=0.9' },
  )

const put = ({ api }: Running, body: object) =>
  api('/bots', { method: 'PUT', body: JSON.stringify(body), headers: json })

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
        assert.is((await put(running, { suspects: 'leave_out' })).status, 200)
        await running.settled()
        assertSame(await figures(running), expected.data)
        assert.is((await running.api(`/summary?${range}`)).body.meta.suspects.left_out, true)
        await put(running, { suspects: 'leave_out' })
        await running.restart()
        await running.settled()
        assertSame(await figures(running), expected.data)
        // Rules that met people: their visits are back.
        await put(running, { ignored: ['no_screen', 'no_accept_language'] })
        await running.settled()
        assert.equal((await running.api(`/summary?${range}`)).body.data.totals, (counted[0] as any)[2].totals)
        await put(running, { suspects: 'count', ignored: [] })
        await running.settled()
        assertSame(await figures(running), counted)
      },
    )
  }))

test.run()
