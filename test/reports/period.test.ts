// Ranges by name: one address that needs no dates.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { periodNames } from '../../src/reports/named-range.ts'
import { footfall } from '../support/program.ts'
import { keepService, type Running, withService } from '../support/service.ts'

/** A Tuesday, past midnight in Vienna alone. */
const start = '2026-03-09T23:30:00Z'
const days: Record<(typeof periodNames)[number], readonly [from: string, to: string]> = {
  today: ['2026-03-10', '2026-03-10'],
  yesterday: ['2026-03-09', '2026-03-09'],
  '24h': ['2026-03-09', '2026-03-10'],
  '7d': ['2026-03-04', '2026-03-10'],
  '28d': ['2026-02-11', '2026-03-10'],
  '30d': ['2026-02-09', '2026-03-10'],
  '90d': ['2025-12-11', '2026-03-10'],
  '12mo': ['2025-04-01', '2026-03-10'],
  week: ['2026-03-09', '2026-03-10'],
  month: ['2026-03-01', '2026-03-10'],
  quarter: ['2026-01-01', '2026-03-10'],
  year: ['2026-01-01', '2026-03-10'],
  last_week: ['2026-03-02', '2026-03-08'],
  last_month: ['2026-02-01', '2026-02-28'],
  last_quarter: ['2025-10-01', '2025-12-31'],
  last_year: ['2025-01-01', '2025-12-31'],
  all: ['2026-03-07', '2026-03-10'],
}

let running: Running
const service = keepService({ start: '2026-03-07T12:00:00Z', flags: { timezone: 'Europe/Vienna' } }, async opened => {
  running = opened
  await running.hit({ page_url: '/first' })
  running.clock.now = Date.parse(start)
  await running.hit({ page_url: '/last' })
  await running.settled()
})
test.before(service.open)
test.after(service.close)

const ask = (path: string): ReturnType<Running['api']> => running.api(path)

for (const name of periodNames)
  test(`${name} is ${days[name].join(' to ')}`, async () => {
    for (const path of ['/summary', '/pages', '/dimensions/country']) {
      const { status, body } = await ask(`${path}?period=${name}`)
      assert.is(status, 200, JSON.stringify(body))
      assert.equal([body.meta.from, body.meta.to], days[name])
      assert.is(body.meta.from_hour, name === '24h' ? 1 : undefined)
    }
    const [from, to] = days[name]
    const hour = name === '24h' ? '&from_hour=1' : ''
    const [named, dated] = [await ask(`/summary?period=${name}`), await ask(`/summary?from=${from}&to=${to}${hour}`)]
    assert.equal(named.body, dated.body)
  })

test('it compares as its days do', async () => {
  const [named, dated] = [
    await ask('/pages?period=last_week&compare=previous'),
    await ask('/pages?from=2026-03-02&to=2026-03-08&compare=previous'),
  ]
  assert.equal(named.body, dated.body)
})

test('what cannot be is refused by name', async () => {
  for (const [query, params] of [
    ['period=fortnight', ['period']],
    ['period=7d&from=2026-03-01', ['period']],
    ['period=7d&to=2026-03-01', ['period']],
    ['period=24h&from_hour=3', ['period']],
  ] as const) {
    const { status, body } = await ask(`/summary?${query}`)
    assert.equal([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', params], query)
  }
  for (const [query, params] of [
    ['', ['from', 'to']],
    ['from=2026-03-01', ['to']],
    ['to=2026-03-01', ['from']],
  ] as const) {
    const { status, body } = await ask(`/summary?${query}`)
    assert.equal([status, body.code, body.data.params], [400, 'rest_missing_callback_param', params], query)
  }
  const { status, body } = await ask('/revenue/summary?period=24h')
  assert.equal([status, body.data.params.period], [400, '24h is for reports of visits; here, days are whole.'])
  assert.is((await ask('/revenue/summary?period=month')).body.meta.from, '2026-03-01')
})

test('in the last hour of a day, 24h is that day', () =>
  withService({ start: '2026-03-10T23:10:00Z' }, async ({ api }) => {
    const { meta } = (await api('/summary?period=24h')).body
    assert.equal([meta.from, meta.to, meta.from_hour], ['2026-03-10', '2026-03-10', undefined])
  }))

test('a file without figures has a range of all', () =>
  withService({ start }, async ({ api }) => {
    const { meta } = (await api('/summary?period=all')).body
    assert.equal([meta.from, meta.to], ['2026-03-09', '2026-03-09'])
  }))

test('the command line takes it', () => {
  const run = (...args: string[]) => footfall(['report', ...args, '--json', '--data', running.file])
  const all = run('summary', '--period', 'all')
  assert.is(all.status, 0, all.stderr)
  assert.is(JSON.parse(all.stdout).meta.from, '2026-03-07')
  const daysOf = (...args: string[]) => {
    const { from, to } = JSON.parse(run(...args).stdout).meta
    return [from, to]
  }
  assert.equal(daysOf('pages?period=last_month'), daysOf('pages', '--period', 'last_month'))
  assert.match(daysOf('pages?period=last_month').join(), /^(\d{4}-\d\d)-01,\1-(?:28|29|30|31)$/)
  for (const args of [
    ['--period', 'fortnight'],
    ['--period', '7d', '--from', '2026-03-01'],
  ]) {
    const { status, stderr } = run('summary', ...args)
    assert.is(status, 2)
    assert.match(stderr, /period/)
  }
})

test.run()
