// Hours and weekdays: on how many days of the range there are any, and the sessions of one.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService } from '../support/service.ts'

// Summer time begins on Sunday, 29 March: no 02:00 then. Today is Sunday, 5 April, in the middle of the range.
const visits = ['2026-03-27T02:30+01:00', '2026-03-29T03:30+02:00', '2026-04-01T02:10+02:00', '2026-04-05T02:30+02:00']
const range = 'from=2026-03-27&to=2026-04-10'

test('sessions are divided by the days that have the hour or are the weekday, if these are over', () =>
  withService({ flags: { timezone: 'Europe/Berlin' }, start: '2026-03-27T00:00:00Z' }, async running => {
    for (const at of visits) {
      running.clock.now = Date.parse(at)
      assert.is((await running.hit({ page_url: '/a' })).status, 204)
    }
    await running.settled()
    const rows = async (path: string): Promise<unknown[]> => {
      const { body } = await running.api(path)
      assert.ok(body.meta.definitions.sessions_per_day.text.includes('over'))
      return body.data.map(({ key, sessions, days, sessions_per_day }: any) => [key, sessions, days, sessions_per_day])
    }
    for (const filter of ['', '&page=/a']) {
      assert.equal(await rows(`/dimensions/weekday?${range}${filter}`), [
        // The second Sunday is not over.
        ['7', 2, 1, 1],
        ['3', 1, 1, 1],
        ['5', 1, 2, 0.5],
      ])
      assert.equal(await rows(`/dimensions/hour?${range}${filter}`), [
        // Neither is its hour, 2:30, nor one after it.
        ['02', 3, 8, 0.25],
        ['03', 1, 9, 0.11],
      ])
    }
    assert.equal(await rows('/dimensions/hour?from=2026-03-29&to=2026-03-29'), [['03', 1, 1, 1]])
    assert.equal(await rows('/dimensions/hour?from=2026-04-05&to=2026-04-05'), [['02', 1, 0, null]])
    assert.equal(await rows('/dimensions/weekday?from=2026-04-05&to=2026-04-05'), [['7', 1, 0, null]])
    running.clock.now += 30 * 60_000 - 1000
    assert.equal(await rows(`/dimensions/hour?${range}`), [
      ['02', 3, 8, 0.25],
      ['03', 1, 9, 0.11],
    ])
    running.clock.now += 1000
    assert.equal(await rows(`/dimensions/hour?${range}`), [
      ['02', 3, 9, 0.33],
      ['03', 1, 9, 0.11],
    ])
    running.clock.now = Date.parse('2026-04-05T23:59:59+02:00')
    assert.equal((await rows(`/dimensions/weekday?${range}`))[0], ['7', 2, 1, 1])
    running.clock.now += 1000
    assert.equal((await rows(`/dimensions/weekday?${range}`))[0], ['7', 2, 2, 1])
    const [device] = (await running.api(`/dimensions/device?${range}`)).body.data
    assert.not('days' in device)
  }))

test('every hour of the week has its sessions and its days, which add up to the summary', () =>
  withService({ flags: { timezone: 'Europe/Berlin' }, start: '2026-03-26T12:00:00Z' }, async running => {
    // Nothing is compared with the first day, which was counted in part.
    assert.is((await running.hit({ page_url: '/a' })).status, 204)
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
      // No 02:00 on the first Sunday; on the second, it is 02:30.
      const expected = [
        [3, 2, 1, 1, 1],
        [5, 2, 1, 2, 0.5],
        [7, 2, 1, 0, null],
        [7, 3, 1, 1, 1],
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
      await running.api('/dimensions/weekday/hour?from=2026-04-01&to=2026-04-05&compare=2026-03-27..2026-03-31')
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
    assert.equal([row.key, row.sessions, row.days, row.sessions_per_day], ['02', 2, 0, null])
    running.clock.now = Date.parse('2026-10-25T02:00:00Z')
    const [over] = (await running.api('/dimensions/hour?from=2026-10-25&to=2026-10-25')).body.data
    assert.equal([over.key, over.sessions, over.days, over.sessions_per_day], ['02', 2, 1, 2])
  }))

test('the average of an hour or weekday is that of the days before, however much of today is over', () =>
  withService({ flags: { timezone: 'Europe/Berlin' }, start: '2026-03-02T11:30:00Z' }, async running => {
    // Three Thursdays with four visits at noon each, and one visit on the fourth so far.
    const noon = Date.parse('2026-03-05T11:15:00Z')
    const week = 7 * 24 * 3_600_000
    for (const [index, count] of [4, 4, 4, 1].entries())
      for (let visitor = 0; visitor < count; visitor++) {
        running.clock.now = noon + index * week + visitor * 1000
        await running.hit({ page_url: '/' }, { 'x-forwarded-for': `10.${index}.${visitor}.1` })
      }
    await running.settled()
    const days = 'from=2026-02-27&to=2026-03-26'
    const mean = async (path: string, isRow: (row: any) => boolean) =>
      (await running.api(`${path}?${days}`)).body.data.find(isRow).sessions_per_day
    assert.is(await mean('/dimensions/weekday', ({ key }) => key === '4'), 4)
    assert.is(await mean('/dimensions/weekday/hour', ({ weekday, hour }) => weekday === 4 && hour === 12), 4)
    // 12 visits on the 27 days of which the hour is over.
    assert.is(await mean('/dimensions/hour', ({ key }) => key === '12'), 0.44)
  }))

test.run()
