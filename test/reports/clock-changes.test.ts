// Hours of days on which clocks change by half an hour, or in the midst of an hour.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFile } from '../support/file.ts'
import { withFolder } from '../support/folder.ts'
import { movingInto } from '../support/moving.ts'
import { type Running, withService } from '../support/service.ts'
import { order, shopOf } from '../support/shop.ts'

const quarter = 15 * 60_000
const timeOf = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z')

type Hour = { time: string; label: string; quarters: number[] }

/** The quarters of a day by the hours on the clock, which begin anew where the clock changes: by Intl alone. */
const hoursBy = (zone: string, day: string): Hour[] => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'long',
    hourCycle: 'h23',
  })
  const hours: Hour[] = []
  let before = ''
  for (
    let at = Date.parse(`${day}T00:00:00Z`) - 86_400_000;
    at < Date.parse(`${day}T00:00:00Z`) + 86_400_000;
    at += quarter
  ) {
    // Such as 2026-04-05 01:30:00 GMT+11.
    const [date, time = '', offset = ''] = format.format(at).split(' ')
    if (date !== day) continue
    const label = time.slice(0, 2)
    if (`${label} ${offset}` !== before) hours.push({ time: timeOf(at), label, quarters: [] })
    hours.at(-1)?.quarters.push(at)
    before = `${label} ${offset}`
  }
  return hours
}

/** The quarters of each hour on the clock. */
const byLabel = (hours: readonly Hour[]): Record<string, number> => {
  const found: Record<string, number> = {}
  for (const { label, quarters } of hours) found[label] = (found[label] ?? 0) + quarters.length
  return found
}

const cases = [
  { zone: 'Australia/Lord_Howe', day: '2026-04-05', lengths: [4, 4, 2, 4], count: 25 },
  { zone: 'Australia/Lord_Howe', day: '2026-10-04', lengths: [4, 4, 2, 4], count: 24 },
  { zone: 'Pacific/Chatham', day: '2026-04-05', lengths: [4, 4, 4, 3, 1, 4], count: 26 },
  { zone: 'Pacific/Chatham', day: '2026-09-27', lengths: [4, 4, 3, 1, 4], count: 24 },
  { zone: 'Europe/Berlin', day: '2026-03-29', lengths: [4, 4, 4], count: 23 },
  { zone: 'Europe/Berlin', day: '2026-10-25', lengths: [4, 4, 4], count: 25 },
]

const readHours = async ({ api }: Running, day: string, filter: string) => {
  const asked = async (path: string) => (await api(`${path}from=${day}&to=${day}${filter}`)).body.data
  const cells = await asked('/dimensions/weekday/hour?')
  return {
    series: (await asked('/summary?interval=hour&')).series.map(({ time, views, sessions, visitors }: any) => [
      time,
      views,
      sessions,
      visitors,
    ]),
    hours: Object.fromEntries((await asked('/dimensions/hour?limit=100&')).map(({ key, views }: any) => [key, views])),
    cells: Object.fromEntries(
      cells.filter(({ views }: any) => views > 0).map(({ hour, views }: any) => [String(hour).padStart(2, '0'), views]),
    ),
  }
}

for (const { zone, day, lengths, count } of cases) {
  const hours = hoursBy(zone, day)

  test(`${zone}, ${day}: visits and orders are in the hour that the clock shows`, () =>
    withService(
      { start: timeOf((hours[0]?.quarters[0] ?? 0) - 7200_000), flags: { timezone: zone } },
      async running => {
        assert.is(hours.length, count)
        assert.equal(
          hours.slice(0, lengths.length).map(({ quarters }) => quarters.length),
          lengths,
        )
        const quarters = hours.flatMap(hour => hour.quarters)
        const end = (quarters.at(-1) ?? 0) + quarter
        // One visit at the beginning of each quarter, and some of the days around.
        for (const at of [(quarters[0] ?? 0) - quarter, ...quarters]) {
          running.clock.now = at
          const visitor = `203.0.${Math.floor(at / quarter) % 250}.7`
          assert.is((await running.hit({ page_url: '/a' }, { 'x-forwarded-for': visitor })).status, 204)
        }
        const expected = {
          series: hours.map(({ time, quarters: { length } }) => [time, length, length, length]),
          hours: byLabel(hours),
          cells: byLabel(hours),
        }
        const checkAll = async (state: string): Promise<void> => {
          for (const filter of ['', '&device=desktop', '&page=/a'])
            assert.equal(await readHours(running, day, filter), expected, `${state} ${filter}`)
          for (const hour of ['01', '02', '03']) {
            const { totals } = (await running.api(`/summary?from=${day}&to=${day}&hour=${hour}`)).body.data
            assert.is(totals.sessions, expected.hours[hour] ?? 0, `${state} ${hour}`)
          }
        }
        const packed = (): unknown =>
          withFile(running.file, db =>
            db
              .prepare('select length(columns) > 1 as packed from packed_day where day = ?')
              .get(day.replaceAll('-', '')),
          )

        running.clock.now = end - 1000
        await running.settled()
        assert.is(packed(), undefined)
        await checkAll('the day under way')

        running.clock.now = end
        await running.hit({ page_url: '/a' })
        running.clock.now = end + 12 * 3_600_000
        await running.settled()
        assert.equal(packed(), { packed: 1 })
        await checkAll('the packed day')
        await running.restart(() => withFile(running.file, db => void db.exec("update packed_day set columns = x''")))
        await checkAll('the rows of the day')

        const shop = shopOf(running)
        await shop.push(
          ...quarters.map((at, index) => {
            const gmt = new Date(at).toISOString().slice(0, 19)
            const refunds = [
              { id: 9000 + index, date_created_gmt: gmt, amount: '1.00', line_items: [], shipping_lines: [] },
            ]
            return order({ id: 500 + index, date_created_gmt: gmt, date_paid_gmt: gmt, refunds })
          }),
        )
        const range = `from=${day}&to=${day}&interval=hour`
        for (const filter of ['', '&channel=Direct']) {
          const orders = await shop.report('timeseries', `${range}${filter}`)
          assert.equal(
            orders.map((one: any) => [one.time, one.orders]),
            hours.map(hour => [hour.time, hour.quarters.length]),
            `orders ${filter}`,
          )
        }
        const { trend } = await shop.report('refunds', range)
        assert.equal(
          trend.map((one: any) => [one.time, one.refunds]),
          hours.map(hour => [hour.time, hour.quarters.length]),
        )
      },
    ))

  test(`${zone}, ${day}: the hours of another program are in the hour that the clock shows`, () =>
    withFolder(async folder => {
      const moving = movingInto(folder)
      const lines = hours.map(({ time }, index) => `${time.replace('T', ' ')},${index + 1},1,1,0.0000,0`)
      const file = moving.write(
        'Site.csv',
        ['Timestamp,Pageviews,Visits,Uniques,Bounce Rate,Avg Duration', ...lines, ''].join('\n'),
      )
      const later = '2026-12-01T12:00:00Z'
      const run = async (...args: string[]): Promise<void> => {
        const { status, stderr } = await moving.run(args, later)
        assert.is(status, 0, stderr)
      }
      await run('import', file, '--timezone', zone)
      // An archive keeps them.
      const archive = join(folder, 'archive.ndjson')
      await run('export', archive, '--format', 'archive')
      const copy = join(folder, 'copy.db')
      await run('import', archive, '--format', 'archive', '--timezone', zone, '--data', copy)
      for (const data of [moving.data, copy])
        await withService({ file: data, start: later }, async ({ api }) => {
          const { series } = (await api(`/summary?from=${day}&to=${day}&interval=hour`)).body.data
          assert.equal(
            series.map(({ time, views }: any) => [time, views]),
            hours.map(({ time }, index) => [time, index + 1]),
          )
        })
    }))
}

test.run()
