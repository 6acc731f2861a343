// Hours and weekdays: on how many days of the range there are any, and the sessions of one.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService } from '../support/service.ts'

// Summer time begins on Sunday, 29 March: no 02:00 then. Today is Sunday, 5 April, in the middle of the range.
const visits = ['2026-03-27T02:30+01:00', '2026-03-29T03:30+02:00', '2026-04-01T02:10+02:00', '2026-04-05T02:30+02:00']
const range = 'from=2026-03-27&to=2026-04-10'

test('sessions are divided by the days that have the hour or are the weekday, until today', () =>
  withService({ flags: { timezone: 'Europe/Berlin' }, start: '2026-03-27T00:00:00Z' }, async running => {
    for (const at of visits) {
      running.clock.now = Date.parse(at)
      assert.is((await running.hit({ page_url: '/a' })).status, 204)
    }
    await running.settled()
    const rows = async (path: string): Promise<unknown> => {
      const { body } = await running.api(path)
      assert.ok(body.meta.definitions.sessions_per_day.text.includes('today'))
      return body.data.map(({ key, sessions, days, sessions_per_day }: any) => [key, sessions, days, sessions_per_day])
    }
    for (const filter of ['', '&page=/a']) {
      assert.equal(await rows(`/dimensions/weekday?${range}${filter}`), [
        ['7', 2, 2, 1],
        ['3', 1, 1, 1],
        ['5', 1, 2, 0.5],
      ])
      assert.equal(await rows(`/dimensions/hour?${range}${filter}`), [
        ['02', 3, 9, 0.33],
        ['03', 1, 10, 0.1],
      ])
    }
    assert.equal(await rows('/dimensions/hour?from=2026-03-29&to=2026-03-29'), [['03', 1, 1, 1]])
    const [device] = (await running.api(`/dimensions/device?${range}`)).body.data
    assert.not('days' in device)
  }))

test('every hour of the week has its sessions and its days, which add up to the summary', () =>
  withService({ flags: { timezone: 'Europe/Berlin' }, start: '2026-03-27T00:00:00Z' }, async running => {
    for (const at of visits) {
      running.clock.now = Date.parse(at)
      assert.is((await running.hit({ page_url: '/a' })).status, 204)
    }
    await running.settled()
    for (const filter of ['', '&page=/a', '&page=/b']) {
      const { data } = (await running.api(`/dimensions/weekday/hour?${range}${filter}`)).body
      assert.is(data.length, 168)
      assert.equal([data[0].weekday, data[0].hour, data[167].weekday, data[167].hour], [1, 0, 7, 23])
      const rows = data
        .filter(({ sessions }: any) => sessions > 0)
        .map((cell: any) => [cell.weekday, cell.hour, cell.sessions, cell.days, cell.sessions_per_day])
      // No 02:00 on the first Sunday.
      const expected = [
        [3, 2, 1, 1, 1],
        [5, 2, 1, 2, 0.5],
        [7, 2, 1, 1, 1],
        [7, 3, 1, 2, 0.5],
      ]
      assert.equal(rows, filter === '&page=/b' ? [] : expected)
      const { totals } = (await running.api(`/summary?${range}${filter}`)).body.data
      for (const key of ['sessions', 'views', 'bounces'])
        assert.is(
          data.reduce((sum: number, cell: any) => sum + cell[key], 0),
          totals[key],
        )
    }
    const [, , friday] = (
      await running.api('/dimensions/weekday/hour?from=2026-04-01&to=2026-04-05&compare=previous')
    ).body.data
      .filter(({ hour }: any) => hour === 2)
      .slice(2)
    assert.equal([friday.weekday, friday.sessions, friday.previous, friday.change], [5, 0, 1, -1])
  }))

test('an hour that a day has twice is of one day', () =>
  withService({ flags: { timezone: 'Europe/Berlin' }, start: '2026-10-25T00:30:00Z' }, async running => {
    for (const at of ['2026-10-25T00:30:00Z', '2026-10-25T01:40:00Z']) {
      running.clock.now = Date.parse(at)
      await running.hit({ page_url: '/a' })
    }
    await running.settled()
    const [row] = (await running.api('/dimensions/hour?from=2026-10-25&to=2026-10-25')).body.data
    assert.equal([row.key, row.sessions, row.days, row.sessions_per_day], ['02', 2, 1, 2])
  }))

test.run()
