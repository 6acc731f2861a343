// Reports of the last 24 hours: from an hour of yesterday until now, compared with the same hours before.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

const hour = 3_600_000

/** A visit of two pages at the present time, from an address of its own. */
const visit = async ({ hit, clock }: Running, number: number): Promise<void> => {
  const from = { 'x-forwarded-for': `81.2.${number}.142` }
  await hit({ page_url: `/at-${new Date(clock.now).getUTCHours()}`, language: 'de' }, from)
  await hit({ page_url: '/next' }, from)
}

const lastHours = (from: string, to: string, from_hour: number): string =>
  `from=${from}&to=${to}&from_hour=${from_hour}`

test('the last 24 hours are counted in each report alike, and compared with those before', () =>
  withService({ start: '2026-03-08T10:30:00Z', flags: { timezone: 'UTC', trustProxy: '127.0.0.1' } }, async running => {
    const { clock, settled } = running
    const report = async (path: string): Promise<any> => (await running.api(path)).body
    const start = clock.now
    // 8 March: 10:30, 14:30, 20:30; 9 March: the same; 10 March: 10:30, and now it is 12:30.
    for (const [number, at] of [0, 4, 10, 24, 28, 34, 48].entries()) {
      clock.now = start + at * hour
      await visit(running, number)
    }
    clock.now = start + 50 * hour
    await settled()
    const days = lastHours('2026-03-09', '2026-03-10', 13)
    const { data, meta } = await report(`/summary?${days}&interval=hour&compare=previous`)
    assert.equal([data.totals.sessions, data.totals.views, data.totals.visitors], [3, 6, 3])
    assert.equal([data.previous.totals.sessions, data.previous.totals.views], [3, 6])
    assert.equal([data.previous.from, data.previous.to, meta.from_hour], ['2026-03-08', '2026-03-09', 13])
    assert.is(meta.compared_until, '2026-03-09T12:30:00Z')
    assert.is(data.series[0].time, '2026-03-09T13:00:00Z')
    assert.is(data.previous.series[0].time, '2026-03-08T13:00:00Z')
    const sessionsAt = (series: any[]): string[] =>
      series.filter(({ sessions }) => sessions > 0).map(({ time }) => time.slice(8, 13))
    assert.equal(sessionsAt(data.series), ['09T14', '09T20', '10T10'])
    assert.equal(sessionsAt(data.previous.series), ['08T14', '08T20', '09T10'])

    const byDay = await report(`/summary?${days}`)
    assert.equal(
      byDay.data.series.map(({ date, sessions, partial }: any) => [date, sessions, partial]),
      [
        ['2026-03-09', 2, true],
        ['2026-03-10', 1, undefined],
      ],
    )
    const { data: pages } = await report(`/pages?${days}&compare=previous`)
    const rowOf = (page: string) => pages.find((row: any) => row.page === page)
    assert.equal([rowOf('/next').views, rowOf('/next').previous], [3, 3])
    assert.equal([rowOf('/at-14').views, rowOf('/at-10').views], [1, 1])
    for (const path of ['/dimensions/country', '/dimensions/language', '/sources']) {
      const { data: rows } = await report(`${path}?${days}`)
      assert.is(
        rows.reduce((sum: number, { sessions }: any) => sum + sessions, 0),
        3,
        path,
      )
    }
    const filtered = await report(`/summary?${days}&page=/at-20`)
    assert.equal([filtered.data.totals.sessions, filtered.data.totals.views], [1, 1])
  }))

test('a visit that goes on past the hour counts its later views, but its session before', () =>
  withService({ start: '2026-03-09T12:55:00Z', flags: { timezone: 'UTC' } }, async ({ hit, api, clock }) => {
    await hit({ page_url: '/a' })
    clock.now += hour / 6
    await hit({ page_url: '/b' })
    clock.now += 20 * hour
    const { data } = (await api(`/summary?${lastHours('2026-03-09', '2026-03-10', 13)}`)).body
    assert.equal([data.totals.visitors, data.totals.sessions, data.totals.views], [1, 0, 1])
  }))

test('the hour is refused where the range does not end today, and for what is no hour', () =>
  withService({ start: '2026-03-10T12:30:00Z', flags: { timezone: 'UTC' } }, async ({ api }) => {
    const refused = async (query: string): Promise<unknown> => {
      const { status, body } = await api(`/summary?${query}`)
      return [status, Object.keys(body.data.params)]
    }
    assert.equal(await refused(lastHours('2026-03-08', '2026-03-09', 13)), [400, ['from_hour']])
    assert.equal(await refused(lastHours('2026-03-09', '2026-03-10', 24)), [400, ['from_hour']])
  }))

test.run()
