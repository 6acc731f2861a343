// Goals and funnels, compared with a model of the contract.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  countFunnel,
  countGoal,
  type FunnelRule,
  funnels,
  groupGoal,
  page,
  passes,
  reaches,
  rules,
} from '../model/goals.ts'
import { expectPaths } from '../model/paths.ts'
import { expect, type Filters, makeVisits, queryOf, sendVisits, type Visit, zone } from '../model/segments.ts'
import { checkAsync } from '../support/property.ts'
import { keepService, type Running } from '../support/service.ts'

const days = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']
const visits = makeVisits()
const rangeOf = ([first, last]: readonly [number, number]): string => `from=${days[first]}&to=${days[last]}`

/** One service shared by all tests. */
let shared: Running
const goalIds: number[] = []
const funnelIds: number[] = []

const send = async (method: string, path: string, body: object): Promise<any> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await shared.api(path, { method, headers, body: JSON.stringify(body) })
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

const service = keepService({ start: '2026-03-27T00:00:00Z', flags: { timezone: zone } }, async running => {
  shared = running
  await sendVisits(running, visits)
  for (const [index, rule] of rules.entries())
    goalIds.push((await send('POST', '/goals', { name: `Goal ${index}`, ...rule })).id)
  for (const [index, funnel] of funnels.entries())
    funnelIds.push((await send('POST', '/funnels', { name: `Funnel ${index}`, ...funnel })).id)
})
test.before(service.open)
test.after(service.close)

const dataOf = async (path: string): Promise<any> => {
  const { status, body } = await shared.api(path)
  assert.is(status, 200, `${path} ${JSON.stringify(body)}`)
  return body.data
}

const values: Record<string, readonly string[]> = {
  host: ['shop.example', 'blog.example'],
  page: ['/', '/a', '/nowhere', '/*', '*d', 'blog.example/a'],
  entry_page: ['/', '/a', '/*e'],
  exit_page: ['/', '/b', '*a'],
  channel: ['Direct', 'Referral'],
  source: ['Google', 'spring'],
  utm_source: ['SPRING', ''],
  country: ['gb', ''],
  device: ['desktop', 'mobile'],
  hour: ['12', '13', '23'],
  weekday: ['5', '7', '1'],
  event: ['signup', 'download', 'never'],
  'property.plan': ['pro', 'free'],
}
const filterOf = (key: string) =>
  fc.record({
    included: fc.boolean(),
    values: fc.uniqueArray(fc.constantFrom(...(values[key] ?? [])), { minLength: 1, maxLength: 3 }),
  })
const filters: fc.Arbitrary<Filters> = fc
  .uniqueArray(fc.constantFrom(...Object.keys(values)), { maxLength: 2 })
  .chain(keys => fc.record(Object.fromEntries(keys.map(key => [key, filterOf(key)]))))
const range = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
  .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])

const upTo = (steps: number, { steps: all = [], strict = false }: Partial<FunnelRule> = {}): FunnelRule => ({
  steps: all.slice(0, steps),
  strict,
})

/** A filter by goals or funnels, with the visits that it selects. */
const reachFilter = fc
  .record({
    kind: fc.constantFrom('goal', 'funnel', 'none'),
    indexes: fc.uniqueArray(fc.nat(100), { minLength: 1, maxLength: 2 }),
    included: fc.boolean(),
    steps: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ kind, indexes, included, steps }) => {
    const goals = indexes.map(index => index % rules.length)
    const chains = indexes.map(index => index % funnels.length)
    const isReached = (visit: Visit): boolean =>
      kind === 'goal'
        ? goals.some(index => reaches(rules[index] ?? page('/'), visit))
        : chains.some(index => passes(upTo(steps, funnels[index]), visit))
    const query = (): string => {
      const listed =
        kind === 'goal' ? goals.map(index => goalIds[index]) : chains.map(index => `${funnelIds[index]}:${steps}`)
      return kind === 'none' ? '' : `&${kind}=${encodeURIComponent(`${included ? '' : '!'}${listed.join(',')}`)}`
    }
    return { query, of: visits.filter(visit => kind === 'none' || isReached(visit) === included) }
  })

const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

test('goals count as the contract says, with every filter', () =>
  checkAsync(
    fc.asyncProperty(filters, reachFilter, range, async (chosen, reached, [first, last]) => {
      const query = `${rangeOf([first, last])}${queryOf(chosen)}${reached.query()}`
      const on = days.slice(first, last + 1)
      const { sessions } = (await dataOf(`/summary?${query}`)).totals
      const rows = await dataOf(`/goals/report?${query}`)
      assert.is(rows.length, rules.length)
      for (const [index, rule] of rules.entries()) {
        const { name, sessions: count, visitors, total, conversion_rate } = rows[index]
        const model = countGoal(rule, reached.of, chosen, on)
        assert.equal(
          { name, sessions: count, visitors, total, conversion_rate },
          { name: `Goal ${index}`, ...model, conversion_rate: ratio(model.sessions, sessions) },
          `${JSON.stringify(rule)} ${query}`,
        )
      }
    }),
    { numRuns: 60, seed: 20261124 },
  ))

test('funnels count as the contract says, with every filter', () =>
  checkAsync(
    fc.asyncProperty(filters, reachFilter, range, async (chosen, reached, [first, last]) => {
      const query = `${rangeOf([first, last])}${queryOf(chosen)}${reached.query()}`
      for (const [index, funnel] of funnels.entries()) {
        const { steps, conversion } = await dataOf(`/funnels/${funnelIds[index]}/report?${query}`)
        const model = countFunnel(funnel, reached.of, chosen, days.slice(first, last + 1))
        assert.equal(
          steps.map(({ step, sessions, dropped, exits, next_instead }: any) => ({
            step,
            sessions,
            dropped,
            exits,
            next_instead,
          })),
          model,
          `${JSON.stringify(funnel)} ${query}`,
        )
        assert.is(conversion, ratio(model.at(-1)?.sessions ?? 0, model[0]?.sessions ?? 0))
      }
    }),
    { numRuns: 25, seed: 20261125 },
  ))

const sessionsOf = (rows: Iterable<{ sessions: number }>): number => {
  let sum = 0
  for (const { sessions } of rows) sum += sessions
  return sum
}

const holdPaths = async (query: string, of: readonly Visit[], chosen: Filters, [first, last]: [number, number]) => {
  const found = await dataOf(`/paths?${query}&include=both&depth=3&limit=100`)
  const asked = { direction: 'next', include: 'both', start: null, via: [], depth: 3, least: 2, held: false } as const
  const model = expectPaths(of, chosen, zone, days.slice(first, last + 1), asked)
  assert.equal({ sessions: found.start.sessions, ends: found.start.exits }, model.start, `/paths ${query}`)
  assert.equal(
    found.steps.map(sessionsOf),
    model.steps.map(({ shared: known, single }) => sessionsOf([...known.values(), single])),
    `/paths ${query}`,
  )
}

test('a filter by goals or funnels selects the visits that reached them on any day, in every report', () =>
  checkAsync(
    fc.asyncProperty(filters, reachFilter, range, async (chosen, reached, [first, last]) => {
      const query = `${rangeOf([first, last])}${queryOf(chosen)}${reached.query()}`
      const model = expect(reached.of, chosen, days.slice(first, last + 1))
      const { totals } = await dataOf(`/summary?${query}`)
      assert.equal(Object.fromEntries(Object.keys(model.totals).map(key => [key, totals[key]])), model.totals, query)
      const hold = async (path: string, rows: ReadonlyMap<string | null, { sessions?: number }>, key: string) => {
        const found = await dataOf(`${path}?${query}`)
        assert.equal(
          found.map((row: any) => [row[key], row.sessions]).sort(),
          [...rows].map(([name, row]) => [name, row.sessions]).sort(),
          `${path} ${query}`,
        )
      }
      await hold('/pages', model.pages, 'page')
      await hold(
        '/sources',
        model.by(({ dims }) => dims.source),
        'source',
      )
      await hold(
        '/dimensions/country',
        model.by(({ dims }) => dims.country),
        'key',
      )
      await hold('/events', model.events, 'name')
      if (chosen.page === undefined) await holdPaths(query, reached.of, chosen, [first, last])
    }),
    { numRuns: 60, seed: 20261126 },
  ))

test('what a goal counts by a dimension adds up to what it counts', async () => {
  for (const [index, rule] of rules.entries()) {
    const whole = countGoal(rule, visits, {}, days)
    for (const by of ['channel', 'source', 'country', 'device', 'utm_campaign', 'language'] as const) {
      const rows = await dataOf(`/goals/${goalIds[index]}/breakdown?by=${by}&${rangeOf([0, 4])}&limit=200`)
      const model = groupGoal(rule, ({ dims }) => dims[by], visits, days)
      const reached = rows.filter((row: any) => row.sessions > 0)
      assert.equal(
        reached.map((row: any) => [row.key, row.sessions]).sort(),
        [...model].sort(),
        `${by} ${JSON.stringify(rule)}`,
      )
      for (const key of ['sessions', 'total'] as const)
        assert.is(
          rows.reduce((sum: number, row: any) => sum + row[key], 0),
          whole[key],
          `${key} ${by} ${JSON.stringify(rule)}`,
        )
    }
  }
})

test('all sessions of a row are those of its report', async () => {
  const within = rangeOf([0, 4])
  const rows = async (by: string, path: string, key: string): Promise<void> => {
    const groups = await dataOf(`/goals/${goalIds[0]}/breakdown?by=${by}&${within}&limit=200`)
    const listed = await dataOf(`${path}${path.includes('?') ? '&' : '?'}${within}&limit=200`)
    assert.equal(
      groups
        .filter((row: any) => row.all_sessions > 0)
        .map((row: any) => [row.key, row.all_sessions])
        .sort(),
      listed
        .filter((row: any) => row.sessions > 0)
        .map((row: any) => [row[key], row.sessions])
        .sort(),
      by,
    )
  }
  await rows('page', '/pages', 'page')
  await rows('entry_page', '/pages/entry', 'page')
  await rows('exit_page', '/pages/exit', 'page')
  await rows('country', '/dimensions/country', 'key')
  await rows('browser', '/dimensions/browser', 'key')
  await rows('source', '/sources', 'source')
  await rows('host', '/dimensions/host', 'key')
  const campaigns = await dataOf(`/goals/${goalIds[0]}/breakdown?by=utm&${within}&limit=200`)
  const sets = await dataOf(`/utm?${within}&limit=200`)
  assert.equal(
    campaigns
      .filter((row: any) => row.within !== null && row.all_sessions > 0)
      .map((row: any) => [row.key, row.within, row.all_sessions])
      .sort(),
    sets
      .map((row: any) => [row.utm_campaign, `${row.utm_source ?? ''} / ${row.utm_medium ?? ''}`, row.sessions])
      .sort(),
  )
})

test.run()
