// Precomputed sums of five-day blocks, months and quarters: which ones a range uses, and when they are recalculated.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase, openReadOnly } from '../../src/database/open.ts'
import { sumPeriods } from '../../src/rollup/periods.ts'
import { footfallHere } from '../support/command.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const starts = '2025-12-30T08:00:00Z'
const day = 24 * 3600 * 1000

/** One view on each day; the last is 2026-04-12. */
const visit = async ({ clock, hit, settled }: Running): Promise<void> => {
  for (let index = 0; index < 104; index++) {
    if (index > 0) clock.now += day
    const { status } = await hit({ page_url: index % 2 === 0 ? '/even' : '/odd' })
    assert.is(status, 204)
  }
  await settled()
}

const stored = (file: string): number[] => {
  const db = openReadOnly(file)
  try {
    return db.prepare('select period from rolled_period where complete order by period').pluck().all() as number[]
  } finally {
    db.close()
  }
}

const views = async ({ api }: Running, from: string, to: string): Promise<[string, number][]> =>
  (await api(`/pages?from=${from}&to=${to}`)).body.data.map(({ page, views }: { page: string; views: number }) => [
    page,
    views,
  ])

test('past periods are summed, and every range has the views of its days', () =>
  withService({ start: starts }, async running => {
    await visit(running)
    assert.equal(await views(running, '2025-12-30', '2026-04-12'), [
      ['/even', 52],
      ['/odd', 52],
    ])
    // Ranges that begin and end inside, at the edge of and next to each kind of period.
    for (const [from, to, all] of [
      ['2026-01-01', '2026-03-31', 90],
      ['2026-01-02', '2026-03-31', 89],
      ['2026-01-01', '2026-03-30', 89],
      ['2026-01-06', '2026-01-10', 5],
      ['2026-02-01', '2026-02-28', 28],
      ['2026-02-26', '2026-02-28', 3],
      ['2026-01-31', '2026-03-01', 30],
      ['2025-12-31', '2026-04-01', 92],
      ['2026-04-11', '2026-04-12', 2],
    ] as const) {
      const found = await views(running, from, to)
      assert.is(
        found.reduce((sum, [, count]) => sum + count, 0),
        all,
        `${from} to ${to}`,
      )
    }
    // The last block of 2025 and of January, the month of February, the first quarter; nothing that is not over.
    const periods = stored(running.file)
    for (const period of [20258400, 20251200, 20261800, 20260200, 20269100])
      assert.ok(periods.includes(period), `${period} is added up`)
    for (const period of [20260400, 20269200, 20263300])
      assert.not.ok(periods.includes(period), `${period} is not over`)
  }))

test('a day with only an event is included in the sums', () =>
  withService({ start: starts }, async running => {
    const { clock, service, settled } = running
    const event = { name: 'signup' }
    for (const wait of [0, 3, 40]) {
      clock.now += wait * day
      const headers = { 'content-type': 'application/json', 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7' }
      assert.is(
        (
          await sendRecord(`${service.url}/analytics/v1/event`, {
            method: 'POST',
            body: JSON.stringify(event),
            headers,
          })
        ).status,
        204,
      )
    }
    clock.now += 90 * day
    await visit(running)
    await settled()
    assert.ok(stored(running.file).includes(20269100))
    const { body } = await running.api('/events?from=2025-12-01&to=2026-04-30')
    assert.equal(
      body.data.map(({ name, total }: { name: string; total: number }) => [name, total]),
      [['signup', 3]],
    )
  }))

test('the periods of a recalculated day are not used until they are summed again', () =>
  withService({ start: starts }, async running => {
    await visit(running)
    const forget = async (day: string): Promise<void> => {
      const { status, stderr } = await footfallHere(['forget', '--day', day, '--data', running.file])
      assert.is(status, 0, stderr)
    }
    const remaining = async (): Promise<number> =>
      (await views(running, '2026-01-01', '2026-03-31')).reduce((sum, [, count]) => sum + count, 0)
    // A running service may sum the quarter again at any time; the result is correct before and after.
    await forget('2026-02-14')
    assert.is(await remaining(), 89)
    await running.settled()
    assert.is(await remaining(), 89)
    assert.ok(stored(running.file).includes(20269100), 'the quarter is added up again')
    await running.restart(async () => {
      await forget('2026-02-15')
      assert.not.ok(stored(running.file).includes(20269100), 'the quarter holds no longer')
    })
    assert.is(await remaining(), 88)
    await running.settled()
    assert.is(await remaining(), 88)
    assert.ok(stored(running.file).includes(20269100), 'the quarter is added up again after a start')
  }))

test('a period whose day is erased while its parts are summed is not used', () =>
  withService({ start: starts }, async running => {
    await visit(running)
    await running.restart(() => {
      const { db } = openDatabase(running.file)
      db.exec('delete from rolled_period where period in (20260200, 20269100)')
      // As another process does it, just after February was summed and before the quarter is.
      db.exec(`create temp trigger erasing after update of complete on main.rolled_period when new.period = 20260200 begin
        insert into dirty_day (day, marks) values (20260214, 1);
        delete from rolled_period where period in (20261800, 20260200, 20269100);
      end`)
      sumPeriods(db, 20260412)
      assert.equal(
        stored(running.file).filter(period => period === 20260200 || period === 20269100),
        [],
      )
      db.close()
    })
    await running.settled()
    assert.ok(stored(running.file).includes(20269100), 'it is summed once the day is up to date')
  }))

test.run()
