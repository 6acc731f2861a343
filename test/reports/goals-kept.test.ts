// What goals and funnels counted on days whose single visits go, purge after purge.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { countFunnel, countGoal, funnels, rules } from '../model/goals.ts'
import { makeVisits, sendVisits, zone } from '../model/segments.ts'
import { type Running, withService } from '../support/service.ts'

const day = 86_400_000

const send = async ({ api }: Running, method: string, path: string, body: object): Promise<any> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await api(path, { method, headers, body: JSON.stringify(body) })
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

const dataOf = async ({ api }: Running, path: string): Promise<any> => {
  const { status, body } = await api(path)
  assert.is(status, 200, `${path} ${JSON.stringify(body)}`)
  return body.data
}

/** Runs retention on a day; returns how many rows it deleted. */
const purge = async (running: Running, at: number): Promise<number> => {
  running.clock.now = at
  await running.settled()
  const [{ message }] = (await send(running, 'POST', '/cron/run', { jobs: ['retention'] })).jobs
  return Number(/^([\d,]+) rows? deleted/.exec(message)?.[1]?.replaceAll(',', ''))
}

test('a purge on each of three days keeps what goals and funnels counted, and what the purges before it kept', () =>
  withService({ start: '2026-03-27T00:00:00Z', flags: { timezone: zone } }, async running => {
    const visits = makeVisits()
    const days = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']
    await sendVisits(running, visits)
    const ids: number[] = []
    for (const [index, rule] of rules.entries()) await send(running, 'POST', '/goals', { name: `G ${index}`, ...rule })
    for (const [index, funnel] of funnels.entries())
      ids.push((await send(running, 'POST', '/funnels', { name: `F ${index}`, ...funnel })).id)
    await send(running, 'PUT', '/settings', { retention_days: 30 })

    const holdGoals = async (on: readonly string[], label: string): Promise<void> => {
      const rows = await dataOf(running, `/goals/report?from=${on[0]}&to=${on.at(-1)}`)
      rules.forEach((rule, index) => {
        const { sessions, visitors, total } = rows[index]
        const wanted = countGoal(rule, visits, {}, on)
        assert.equal({ sessions, visitors, total }, wanted, `${label}: ${JSON.stringify(rule)} on ${on}`)
      })
    }
    const holdFunnels = async (on: readonly string[], label: string): Promise<void> => {
      for (const [index, funnel] of funnels.entries()) {
        const { steps } = await dataOf(running, `/funnels/${ids[index]}/report?from=${on[0]}&to=${on.at(-1)}`)
        const model = countFunnel(funnel, visits, {}, on, 100)
        assert.equal(
          steps.map(({ step, sessions, dropped, exits }: any) => ({ step, sessions, dropped, exits })),
          model.map(({ next_instead: _, ...figures }) => figures),
          `${label}: ${JSON.stringify(funnel)} on ${on}`,
        )
        if (on.length > 1) continue
        // Of pages with equal numbers, any may be the fifth.
        model.forEach(({ next_instead: all }, step) => {
          const found = steps[step].next_instead
          const known = new Set(all.map(one => JSON.stringify(one)))
          assert.ok(found.every((one: object) => known.has(JSON.stringify(one))))
          const most = all.slice(0, 5).map(({ sessions }) => sessions)
          assert.equal(
            found.map(({ sessions }: any) => sessions),
            most,
            `${label}: ${JSON.stringify(funnel)} on ${on}`,
          )
        })
      }
    }
    // The first day kept is the 28th of March, then the 29th, then the 30th.
    const first = Date.parse('2026-04-27T10:00:00Z')
    for (const number of [0, 1, 2]) {
      const label = `after purge ${number + 1}`
      assert.ok((await purge(running, first + number * day)) > 0, label)
      assert.is(await purge(running, first + number * day), 0, label)
      for (const on of [...days.slice(0, number + 2).map(one => [one]), days]) {
        await holdGoals(on, label)
        await holdFunnels(on, label)
      }
      // One that is saved later is not known of the days that have gone, although visits over midnight are left of them.
      if (number === 1) await send(running, 'POST', '/goals', { name: 'Late', kind: 'page', pattern: '/a,/b' })
    }
    const late = (await dataOf(running, `/goals/report?from=${days[0]}&to=${days.at(-1)}`)).at(-1)
    assert.equal([late.name, late.known_from], ['Late', '2026-03-29'])
    // Its rate is of the visits since then, also where the range ends on that day.
    for (const to of ['2026-03-29', '2026-03-30']) {
      const since = (await dataOf(running, `/summary?from=2026-03-29&to=${to}`)).totals.sessions
      const { sessions, conversion_rate } = (await dataOf(running, `/goals/report?from=2026-03-27&to=${to}`)).at(-1)
      assert.is(conversion_rate, Math.round((sessions / since) * 10_000) / 10_000, to)
    }
  }))

test('of the pages viewed instead the five most frequent are kept, and all who left', () =>
  withService({ start: '2026-03-10T12:00:00Z' }, async running => {
    const { clock, hit } = running
    let visitor = 0
    const visit = async (...pages: string[]): Promise<void> => {
      visitor += 1
      for (const page of pages) await hit({ page_url: page }, { 'x-forwarded-for': `81.2.${visitor}.1` })
    }
    // The rarest come first, in an order that is not that of their names.
    for (const [page, visits] of Object.entries({ '/c': 1, '/a': 2, '/g': 3, '/b': 4, '/e': 5, '/d': 6, '/f': 7 }))
      for (let number = 0; number < visits; number++) await visit('/', page)
    for (let number = 0; number < 3; number++) await visit('/')
    const steps = ['/', '/thanks'].map(pattern => ({ kind: 'page', pattern }))
    const { id } = await send(running, 'POST', '/funnels', { name: 'Order', steps })
    await send(running, 'PUT', '/settings', { retention_days: 30 })
    const hold = async (): Promise<void> => {
      const [step] = (await dataOf(running, `/funnels/${id}/report?from=2026-03-10&to=2026-03-10`)).steps
      const { sessions, dropped, exits, next_instead } = step
      assert.equal([sessions, dropped, exits], [31, 31, 3])
      assert.equal(
        next_instead.map(({ page, sessions }: any) => [page, sessions]),
        [
          ['/f', 7],
          ['/d', 6],
          ['/e', 5],
          ['/b', 4],
          ['/g', 3],
        ],
      )
    }
    await hold()
    assert.ok((await purge(running, clock.now + 31 * day)) > 0)
    await hold()
  }))

test.run()
