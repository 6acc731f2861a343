// Past days are packed in columns: segment reports are the same from these as from the rows.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type EventColumn,
  eventColumns,
  type OtherDayEventColumn,
  type OtherDayViewColumn,
  otherDayEventColumns,
  otherDayViewColumns,
  packColumns,
  type SessionColumn,
  sessionColumns,
  unpackColumns,
  type ViewColumn,
  viewColumns,
} from '../../src/packed/format.ts'
import { setRawFrom } from '../../src/rollup/raw-from.ts'
import { footfallHere } from '../support/command.ts'
import { withFile } from '../support/file.ts'
import { check, checkAsync, seed } from '../support/property.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'

const start = '2026-03-27T20:00:00Z'
const range = 'from=2026-03-27&to=2026-04-01'
const day = 24 * 3600

/**
 * Gaps of minutes over midnight, of hours and of days; some records are dated back, also into a day that was packed.
 */
type Step = {
  gap: number
  visitor: number
  kind: 'hit' | 'event' | 'engagement'
  page: number
  age: number
  source: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    gap: fc.oneof(fc.nat(900), fc.nat(900), fc.nat(20_000), fc.nat(100_000)),
    visitor: fc.nat(4),
    kind: fc.constantFrom('hit', 'hit', 'hit', 'hit', 'event', 'engagement'),
    page: fc.nat(3),
    age: fc.constantFrom(0, 0, 0, 60, 1500, 7000),
    source: fc.nat(3),
  }),
  { minLength: 40, maxLength: 70 },
)

/** Between which visits go; each has the same paths. */
const hosts = ['a.example', 'b.example']
const sources = ['', '?utm_source=letter&utm_medium=email', '?utm_campaign=spring', '']
const referrers = ['', '', '', 'https://news.example/story']

const send = async ({ service }: Running, { visitor, kind, page, age, source }: Step, index: number): Promise<void> => {
  const body =
    kind === 'hit'
      ? {
          page_url: `https://${hosts[(page + source) % 2]}/p${page}${sources[source]}`,
          referrer: referrers[source],
          title: `Page ${page}`,
          pvid: `view-number-${visitor}-${index}`,
          screen_width: 350 + 300 * visitor,
          screen_height: 800,
          language: ['de', 'pt-BR'][visitor % 2],
          age,
        }
      : kind === 'event'
        ? { name: 'signup', age }
        : { pvid: `view-number-${visitor}-${index - 1}`, engagement_time: page * 7, scroll_depth: page * 20 }
  const answer = await sendRecord(`${service.url}/analytics/v1/${kind}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'text/plain',
      'user-agent': visitor % 2 === 0 ? firefox : phone,
      'x-forwarded-for': `203.0.${visitor}.9`,
      'accept-language': ['de', 'en', 'fr'][visitor % 3] ?? '',
    },
  })
  assert.is(answer.status, 204, await answer.text())
}

const filters = [
  'device=desktop',
  'device=!desktop',
  'language=de,en',
  'language=!de',
  'entry_page=/p0,/p1',
  'exit_page=!/p2',
  'channel=Direct,Email',
  'source=letter',
  'source=!direct',
  'utm_campaign=spring',
  'utm_campaign=!',
  'utm_source=',
  'browser=Firefox&entry_page=/p1',
  'os=!iOS&channel=!Email',
  'device=tv',
  'country=',
  'country=!',
  'page=/p1',
  'page=!/p0',
  'page=/p2,/p3&device=desktop',
  'page=/p1&entry_page=/p1',
  'page=/nowhere',
  'host=a.example',
  'host=!a.example',
  'host=*&page=!a.example/p1',
  'host=b.example&page=/p1,/p2',
  'host=a.example&entry_page=/p0,/p1&exit_page=!/p2',
  'host=nowhere.example',
  'event=signup',
  'event=!signup&device=desktop',
  'host=b.example&event=signup',
  'host=!b.example&event=signup',
  'page=/p1&event=signup',
]
const reports = [
  '/summary?',
  '/summary?interval=hour&',
  '/summary?compare=previous&',
  '/pages?',
  '/pages?search=p1&',
  '/pages/entry?',
  '/pages/exit?',
  '/pages?by=path&',
  '/pages/entry?by=path&',
  '/sources?',
  '/sources?group_by=channel&',
  '/utm?',
  '/utm?group_by=campaign&',
  '/events?',
  ...['country', 'language', 'device', 'browser', 'os', 'screen', 'channel', 'host', 'hour', 'weekday'].map(
    name => `/dimensions/${name}?`,
  ),
]

/** Each report with some of the filters, all of them over the reports together. */
const answers = async ({ api }: Running): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {}
  for (const [index, report] of reports.entries())
    for (let more = 0; more < 5; more++) {
      const filter = filters[(index * 5 + more) % filters.length] ?? ''
      for (const asked of [range, 'from=2026-03-28&to=2026-03-29', 'from=2026-03-29&to=2026-03-29']) {
        const path = `${report}${asked}&${filter}`
        const { status, body, headers } = await api(path)
        assert.is(status, 200, `${path} ${JSON.stringify(body)}`)
        found[path] = [body.data, headers.get('x-wp-total')]
      }
    }
  return found
}

type Packed = { day: number; bytes: number }

const packedDays = (file: string): Packed[] =>
  withFile(
    file,
    db => db.prepare('select day, length(columns) as bytes from packed_day order by day').all() as Packed[],
  )

test(`packed days lead to the same reports as their rows, also after late records (SEED=${seed})`, () =>
  checkAsync(
    fc.asyncProperty(steps, async todo => {
      await withService({ start, flags: { timezone: 'Europe/Berlin' } }, async running => {
        for (const [index, step] of todo.entries()) {
          // Never far beyond the range; the last records are late ones, of days that are already packed.
          running.clock.now = Math.min(running.clock.now + step.gap * 1000, Date.parse('2026-04-02T04:00:00Z'))
          await send(running, step, index)
          if (index % 9 === 0) await running.settled()
        }
        await running.settled()
        const packed = await answers(running)
        const [first] = packedDays(running.file)
        assert.ok(first !== undefined && first.bytes > 0, 'days are packed')
        // An empty blob marks a day that cannot be packed: its rows are read.
        await running.restart(() => {
          withFile(running.file, db => db.exec("update packed_day set columns = x''"))
        })
        const rows = await answers(running)
        for (const [path, answer] of Object.entries(packed)) assert.equal(answer, rows[path], path)
      })
    }),
    { numRuns: 5, seed, includeErrorInReport: true },
  ))

const visit = async ({ hit }: Running, page: string, visitor = 0, more: object = {}): Promise<void> => {
  const { status } = await hit(
    { page_url: page, pvid: `the-view-of-${page.slice(1)}-${visitor}`, ...more },
    { 'x-forwarded-for': `203.0.${visitor}.7` },
  )
  assert.is(status, 204)
}

const views = async ({ api }: Running): Promise<number> =>
  (await api(`/summary?${range}&device=desktop`)).body.data.totals.views

test('a packed day is removed when one of its rows changes or is deleted', () =>
  withService({ start: '2026-03-27T12:00:00Z' }, async running => {
    const { clock, settled, file } = running
    for (const index of [0, 1, 2, 3]) {
      await visit(running, `/day-${index}`, index)
      clock.now += day * 1000
    }
    await settled()
    assert.equal(
      packedDays(file).map(packed => packed.day),
      [20260327, 20260328, 20260329, 20260330],
    )
    assert.is(await views(running), 4)

    // A backdated view unpacks its day and the next one, on which its visit may continue.
    clock.now = Date.parse('2026-03-31T00:20:00Z')
    await visit(running, '/late', 9, { age: 1800 })
    assert.is(await views(running), 5)
    await settled()
    assert.equal(
      packedDays(file).map(packed => packed.day),
      [20260327, 20260328, 20260329, 20260330],
    )
    assert.is(await views(running), 5)

    // Erased data is removed from packed days at once.
    await running.restart(async () => {
      const { status, stderr } = await footfallHere(['forget', '--page', '/day-1', '--data', file])
      assert.is(status, 0, stderr)
    })
    assert.is(await views(running), 4)

    // Purged days are unpacked.
    clock.now = Date.parse('2026-05-10T12:00:00Z')
    const retain = async (days: number): Promise<void> => {
      const headers = { 'content-type': 'application/json' }
      assert.is(
        (
          await running.api('/settings', {
            method: 'PUT',
            body: JSON.stringify({ retention_mode: 'delete', retention_days: days }),
            headers,
          })
        ).status,
        200,
      )
      assert.is(
        (await running.api('/cron/run', { method: 'POST', body: '{"jobs":["retention"]}', headers })).status,
        200,
      )
    }
    await settled()
    await retain(43)
    const left = withFile(file, db => db.prepare('select count(*) from view').pluck().get())
    assert.equal(
      packedDays(file).map(packed => packed.day),
      [20260329, 20260330],
      `of ${left} views left`,
    )

    // So are the days of a purge that was interrupted right after it had recorded the first complete day.
    withFile(file, db => setRawFrom(db, 20260330))
    await retain(41)
    assert.equal(
      packedDays(file).map(packed => packed.day),
      [20260330],
    )
  }))

test('a visit longer than a day changes the reports of each of its days, packed or not', () =>
  withService({ start: '2026-03-10T23:40:00Z' }, async running => {
    const { clock, settled, file, hit, api } = running
    const view = async (page: string): Promise<void> => {
      assert.is((await hit({ page_url: page })).status, 204)
    }
    // A visit of three nights, with a view every 29 minutes; and one of the third day alone.
    const last = Date.parse('2026-03-13T00:20:00Z')
    let ofThirdDay = 0
    for (; clock.now < last; clock.now += 29 * 60_000) {
      await view('/on')
      if (new Date(clock.now).getUTCDate() === 12) ofThirdDay += 1
    }
    await hit({ page_url: '/alone', age: 3000 }, { 'x-forwarded-for': '203.0.99.7' })
    await settled()
    const viewsOf = async (date: string, filter: string): Promise<number> =>
      (await api(`/summary?from=${date}&to=${date}&${filter}`)).body.data.totals.views
    assert.equal(
      packedDays(file).map(packed => packed.day),
      [20260310, 20260311, 20260312],
    )
    assert.is(await viewsOf('2026-03-12', 'exit_page=/on'), ofThirdDay)

    // It continues: that unpacks the first and the last day, but not the one between.
    await view('/last')
    await settled()
    const { sessions } = (await api('/summary?from=2026-03-10&to=2026-03-13')).body.data.totals
    assert.is(sessions, 2)
    assert.is(await viewsOf('2026-03-12', 'exit_page=/on'), 0)
    assert.is(await viewsOf('2026-03-12', 'exit_page=/last'), ofThirdDay)
    assert.is(await viewsOf('2026-03-12', 'page=/last'), 0)
  }))

test('columns survive packing, whatever the size of their numbers', () =>
  check(
    fc.property(
      fc.nat(300),
      fc.nat(300),
      fc.constantFrom(1, 255, 256, 65_535, 65_536, 2 ** 31),
      fc.nat(7),
      (sessions, views, most, shift) => {
        const values = (count: number): number[] =>
          Array.from({ length: count }, (_, index) => (index * 7919 + shift) % (most + 1))
        const day = {
          visitors: most,
          sessions: Object.fromEntries(sessionColumns.map(name => [name, values(sessions)])) as Record<
            SessionColumn,
            number[]
          >,
          views: Object.fromEntries(viewColumns.map(name => [name, values(views)])) as Record<ViewColumn, number[]>,
          otherDayViews: Object.fromEntries(otherDayViewColumns.map(name => [name, values(shift)])) as Record<
            OtherDayViewColumn,
            number[]
          >,
          otherDayEvents: Object.fromEntries(otherDayEventColumns.map(name => [name, values(shift)])) as Record<
            OtherDayEventColumn,
            number[]
          >,
          events: Object.fromEntries(eventColumns.map(name => [name, values(views)])) as Record<EventColumn, number[]>,
        }
        // At any alignment in memory.
        const bytes = packColumns(day)
        const moved = Buffer.alloc(bytes.length + shift)
          .fill(bytes, shift)
          .subarray(shift)
        const read = unpackColumns(moved)
        assert.is(read?.visitors, most)
        assert.is(read?.sessions.count, sessions)
        for (const name of sessionColumns) assert.equal([...(read?.sessions[name] ?? [])], day.sessions[name])
        for (const name of viewColumns) assert.equal([...(read?.views[name] ?? [])], day.views[name])
        for (const name of otherDayViewColumns)
          assert.equal([...(read?.otherDayViews[name] ?? [])], day.otherDayViews[name])
        for (const name of otherDayEventColumns)
          assert.equal([...(read?.otherDayEvents[name] ?? [])], day.otherDayEvents[name])
        for (const name of eventColumns) assert.equal([...(read?.events[name] ?? [])], day.events[name])
        assert.ok(bytes.length > 16, 'no mistake for an address')
      },
    ),
  ))

test('blobs of another layout are ignored', () => {
  assert.is(unpackColumns(Buffer.alloc(0)), null)
  assert.is(unpackColumns(Buffer.alloc(64)), null)
})

test.run()
