// A quarter of a machine that is on for a few minutes a day, by a clock of its own: days of 23 and 25 hours, a leap day, a
// sleep of three days while the service runs, and days that retention archives. At its end every figure is what was sent.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { nightlyNameOf } from '../../src/database/backup.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const dayLength = 86_400_000
const json = { 'content-type': 'application/json' }
const timezone = 'Europe/Berlin'

/** The first days, each with the change of clocks or the leap day in its midst. */
const quarters = [
  { from: '2028-01-31', leap: '2028-02-29', to: '2028-04-28' },
  { from: '2028-09-01', leap: null, to: '2028-11-28' },
]

/** 0 to 4 visits of two views, so that days differ. */
const visitsOf = (index: number): number => (index * 7) % 5

const settingsOf = async ({ api }: Running): Promise<void> => {
  const body = JSON.stringify({ retention_days: 30, retention_mode: 'archive' })
  assert.is((await api('/settings', { method: 'PUT', body, headers: json })).status, 200)
}

const browse = async (running: Running, index: number): Promise<void> => {
  for (let visit = 0; visit < visitsOf(index); visit += 1)
    for (const page of ['/a', '/b']) {
      const { status } = await running.hit({ page_url: page }, { 'x-forwarded-for': `203.0.113.${visit + 1}` })
      assert.is(status, 204)
      running.clock.now += 1000
    }
}

type Quarter = (typeof quarters)[number]

const liveThrough = ({ from, leap, to }: Quarter): Promise<void> =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    const backups = join(folder, 'backups')
    const flags = { timezone, trustedProxies: '127.0.0.1', backupFolder: backups, backupKeep: '3' }
    const expected = new Map<string, number>()
    const days = (Date.parse(to) - Date.parse(from)) / dayLength
    const dateOf = (index: number): string => new Date(Date.parse(from) + index * dayLength).toISOString().slice(0, 10)
    for (let index = 0; index <= days; index += 1) {
      // A few minutes a day.
      const start = `${dateOf(index)}T10:00:30Z`
      const sleeps = index === 40
      await withService({ file, start, flags }, async running => {
        if (index === 0) await settingsOf(running)
        await browse(running, index)
        expected.set(dateOf(index), 2 * visitsOf(index))
        await running.settled()
        // Each day's backup is due since the night, when the machine was off.
        if (index > 0) await until(() => assert.ok(readdirSync(backups).includes(nightlyNameOf(dateOf(index)))))
        if (sleeps) {
          // The machine sleeps, and its clock is three days on when it wakes up.
          running.clock.now += 3 * dayLength
          index += 3
          await browse(running, index)
          expected.set(dateOf(index), 2 * visitsOf(index))
          await running.settled()
        }
        if (index < days) return
        const { body } = await running.api('/cron/run', {
          method: 'POST',
          body: '{"jobs":["archive"]}',
          headers: json,
        })
        assert.is(body.ok, true)
        await until(async () => {
          const { body: answer } = await running.api(`/summary?from=${from}&to=${dateOf(index)}`)
          assert.is(
            answer.data.totals.views,
            [...expected.values()].reduce((sum, views) => sum + views, 0),
          )
        })
        const { body: answer } = await running.api(`/summary?from=${from}&to=${dateOf(index)}&interval=day`)
        const found = new Map<string, number>(
          answer.data.series.map((row: { date: string; views: number }) => [row.date, row.views]),
        )
        for (const [date, views] of expected) assert.is(found.get(date), views, date)
        if (leap !== null) assert.ok(found.has(leap))
      })
    }
    assert.ok(readdirSync(`${file}-archive`).length > 20, 'old days are archived')
    assert.is(readdirSync(backups).length, 3)
    const { status, stdout, stderr } = await footfallHere(['rebuild', '--data', file])
    assert.is(status, 0, `${stdout}${stderr}`)
    assert.match(stdout, /No figures changed\.\nSkipped/)
  })

/** Lives through both, telling when each is done. */
export const runQuarters = async (log: (line: string) => void): Promise<void> => {
  for (const quarter of quarters) {
    await liveThrough(quarter)
    log(`quarter: the days from ${quarter.from} to ${quarter.to} end with the figures that were sent`)
  }
}
