// Property values and titles go with the single visits: from the file, and from what reports show.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openReadOnly } from '../../src/database/open.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const dayLength = 86_400_000

const event = async ({ service }: Running, body: Record<string, unknown>): Promise<void> => {
  const { status } = await sendRecord(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'text/plain', 'user-agent': firefox },
  })
  assert.is(status, 204)
}

const runJobs = async ({ api }: Running, ...jobs: string[]): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const { status, body } = await api('/cron/run', { method: 'POST', headers, body: JSON.stringify({ jobs }) })
  assert.is(status, 200, JSON.stringify(body))
}

const setRetention = async ({ api }: Running, retention_mode: string): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ retention_days: 30, retention_mode })
  assert.is((await api('/settings', { method: 'PUT', headers, body })).status, 200)
}

/** Values of the property `day`, with their totals. */
const valuesOf = async ({ api }: Running, range: string): Promise<Record<string, number>> => {
  const { body } = await api(`/events/done?${range}`)
  const property = body.data.properties.find(({ key }: { key: string }) => key === 'day')
  return Object.fromEntries((property?.values ?? []).map(({ value, total }: any) => [value, total]))
}

/** References to labels that do not exist. */
const dangling = (file: string): number => {
  const db = openReadOnly(file)
  const columns = [
    'view.title_id',
    'page.title_id',
    'title_day.title_id',
    'session.screen_id',
    'session.language_id',
    'event.name_id',
    'event_name.name_id',
    'event_key.key_id',
    'event_value.value_id',
    'event_property.key_id',
    'event_property.value_id',
    'event_rollup.name_id',
    'event_property_rollup.key_id',
    'event_property_rollup.value_id',
    'cms_page.title_id',
  ].map(column => column.split('.'))
  const count = ([table, column]: string[]): number =>
    (
      db
        .prepare(
          `select count(*) as rows from ${table} where ${column} is not null and ${column} not in (select id from label)`,
        )
        .get() as { rows: number }
    ).rows
  const rows = columns.reduce((sum, column) => sum + count(column), 0)
  db.close()
  return rows
}

const holds = (file: string, text: string): boolean => readFileSync(file).includes(text)

/** A day's view and events, whose texts name the day. */
const record = async (running: Running, day: number, pvid = `view-of-day-number-${day}`): Promise<void> => {
  const { status } = await running.hit(
    { page_url: `/page/${day % 3}`, title: `Title of day ${day}`, pvid },
    { 'user-agent': firefox },
  )
  assert.is(status, 204)
  await event(running, {
    name: 'done',
    properties: { day: `value ${day}`, always: 'yes', [`a key of day ${day}`]: 'once' },
  })
}

for (const mode of ['delete', 'archive'])
  test(`property values and titles follow retention: ${mode}`, () =>
    withService({ start: '2026-03-01T12:00:00Z' }, async running => {
      const { clock, file, settled, api } = running
      await setRetention(running, mode)
      const range = 'from=2026-03-01&to=2026-04-20'
      assert.is((await api(`/events?${range}`)).status, 200)
      for (let day = 0; day < 45; day++) {
        await record(running, day)
        clock.now += dayLength
      }
      await settled()
      await settled()
      const before = { events: await api(`/events?${range}`), pages: await api(`/pages?${range}`) }
      const total = (await api(`/events/done?${range}`)).body.data.total
      assert.is(Object.keys(await valuesOf(running, range)).length, 45)
      assert.is((await api(`/events/done?${range}`)).body.meta.properties_known_from, null)

      // It is April 15 now, so March 16 is the first day that is kept: the 16th day, number 15.
      await runJobs(running, 'retention', 'archive')
      const known = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`value ${at + 15}`, 1]))
      const { body } = await api(`/events/done?${range}`)
      assert.is(body.meta.properties_known_from, '2026-03-16')
      assert.is(body.data.total, total)
      assert.equal(await valuesOf(running, range), known)
      assert.equal(await valuesOf(running, 'from=2026-03-01&to=2026-03-31'), {
        ...Object.fromEntries(Object.entries(known).slice(0, 16)),
      })
      assert.equal(body.data.properties.find(({ key }: any) => key === 'always').values, [{ value: 'yes', total: 30 }])
      // The sums of the month and the blocks that reach the day are made again, and say the same.
      await settled()
      await running.restart()
      await settled()
      assert.equal(await valuesOf(running, range), known)
      assert.is(dangling(file), 0)

      const after = { events: await api(`/events?${range}`), pages: await api(`/pages?${range}`) }
      assert.equal(after.events.body.data, before.events.body.data)
      assert.equal(
        after.pages.body.data.map(({ page, views }: any) => ({ page, views })),
        before.pages.body.data.map(({ page, views }: any) => ({ page, views })),
      )
      // A stop moves the write-ahead log into the file.
      await running.restart()
      for (const day of [0, 7, 14]) {
        assert.not.ok(holds(file, `Title of day ${day}`), `title ${day}`)
        assert.not.ok(holds(file, `a key of day ${day}`), `property ${day}`)
      }
      assert.ok(holds(file, 'Title of day 15') && holds(file, 'a key of day 15'))
    }))

test('a text that was deleted is known again when it comes back, in the same process', () =>
  withService({ start: '2026-03-01T12:00:00Z' }, async running => {
    const { clock, file, settled } = running
    await setRetention(running, 'delete')
    await record(running, 1)
    clock.now += 10 * dayLength
    await event(running, { name: 'done', properties: { day: 'value 2' } })
    clock.now += 30 * dayLength
    // Both the view's title and the event's value are in the collector's memory, and the first is the page's title.
    await settled()
    await runJobs(running, 'retention')
    await settled()
    assert.is(dangling(file), 0)
    await record(running, 1, 'another-view-of-the-page')
    await event(running, { name: 'done', properties: { day: 'value 2', 'a key of day 1': 'once' } })
    await settled()
    assert.is(dangling(file), 0)
    assert.equal(await valuesOf(running, 'from=2026-03-01&to=2026-04-30'), { 'value 1': 1, 'value 2': 2 })
    const { body } = await running.api('/pages?from=2026-03-01&to=2026-04-30')
    assert.equal([body.data[0].title, body.data[0].views], ['Title of day 1', 2])
  }))

test.run()
