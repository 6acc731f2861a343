// For any range, the sums over every breakdown and series equal the summary, also after a restart, a rebuild and a
// purge. Random visits over three months, sent over HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { addDays, createZone, daysBetween, dayText, parseDay } from '../../src/lib/time.ts'
import { purgeBefore } from '../../src/rollup/purge.ts'
import { rebuildAll } from '../../src/rollup/rebuild-all.ts'
import { checkAsync, seed } from '../support/property.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const first = 20260115
const last = 20260420
const zone = createZone('Europe/Berlin')
const dimensions = [
  'country',
  'region',
  'city',
  'continent',
  'language',
  'device',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'screen',
  'channel',
  'hour',
  'weekday',
]

type Step = {
  gap: number
  visitor: number
  kind: 'hit' | 'event' | 'engagement'
  page: number
  campaign: number
  age: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    // Seconds, hours or days.
    gap: fc.oneof(fc.nat(600), fc.nat(30_000), fc.nat(400_000)),
    visitor: fc.nat(3),
    kind: fc.constantFrom('hit', 'hit', 'hit', 'event', 'engagement'),
    page: fc.nat(4),
    campaign: fc.nat(3),
    age: fc.constantFrom(0, 0, 0, 60, 3600),
  }),
  { minLength: 30, maxLength: 60 },
)

const referrers = ['', 'https://www.google.com/', 'https://news.example/story', 'https://chatgpt.com/']
const campaigns = [
  '',
  '?utm_source=letter&utm_medium=email',
  '?utm_source=Ads&utm_medium=cpc&utm_campaign=spring',
  '?utm_campaign=Spring',
]

const send = async (
  { service }: Running,
  { visitor, kind, page, campaign, age }: Step,
  index: number,
): Promise<void> => {
  const body =
    kind === 'hit'
      ? {
          page_url: `/p${page}${campaigns[campaign]}`,
          title: `Page ${page}`,
          referrer: referrers[visitor],
          pvid: `view-number-${page}-${visitor}-${index}`,
          screen_width: 350 + 300 * visitor,
          screen_height: 800,
          age,
        }
      : kind === 'event'
        ? { name: page === 0 ? 'not_found' : 'signup', properties: { page }, value: page, age }
        : { pvid: `view-number-${page}-${visitor}-${index - 1}`, engagement_time: page * 7, scroll_depth: 40 }
  const answer = await sendRecord(`${service.url}/analytics/v1/${kind}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'text/plain',
      'user-agent': visitor % 2 === 0 ? firefox : phone,
      'x-forwarded-for': `203.0.${visitor}.9`,
      'accept-language': visitor === 1 ? 'de' : 'en',
    },
  })
  assert.is(answer.status, 204, await answer.text())
}

type Row = Record<string, any>
const sum = (rows: Row[], key: string): number => rows.reduce((all, row) => all + row[key], 0)

/** Every report of a range, with sums compared to each other. */
const check = async ({ api }: Running, from: string, to: string): Promise<unknown> => {
  const range = `from=${from}&to=${to}`
  const data = async (path: string): Promise<any> =>
    (await api(`${path}${path.includes('?') ? '&' : '?'}${range}`)).body.data
  const { totals } = await data('/summary')
  for (const interval of [
    'day',
    'week',
    'month',
    ...(daysBetween(parseDay(from), parseDay(to)) <= 31 ? ['hour'] : []),
  ]) {
    const { series } = await data(`/summary?interval=${interval}`)
    for (const key of [
      'sessions',
      'views',
      'bounces',
      'total_duration',
      ...(interval === 'hour' ? [] : ['visitors']),
    ]) {
      assert.is(sum(series, key), totals[key], `${key} by ${interval}, ${range}`)
    }
  }
  const pages: Row[] = await data('/pages?limit=200')
  assert.is(sum(pages, 'views'), totals.views, `views of /pages, ${range}`)
  assert.is(sum(pages, 'total_duration'), totals.total_duration, `seconds of /pages, ${range}`)
  const entries: Row[] = await data('/pages/entry?limit=200')
  const exits: Row[] = await data('/pages/exit?limit=200')
  for (const list of [entries, exits])
    assert.is(sum(list, 'sessions'), totals.sessions, `sessions of entry and exit pages, ${range}`)
  const sources: Row[] = await data('/sources?limit=200')
  const channels: Row[] = await data('/sources?group_by=channel')
  assert.is(channels.length, 8)
  const breakdowns: [string, Row[]][] = [
    ['/sources', sources],
    ['/sources by channel', channels],
  ]
  for (const dimension of dimensions) breakdowns.push([dimension, await data(`/dimensions/${dimension}?limit=200`)])
  for (const [name, rows] of breakdowns) {
    for (const key of ['sessions', 'views', 'bounces'])
      assert.is(sum(rows, key), totals[key], `${key} of ${name}, ${range}`)
  }
  const systems: Row[] = await data('/dimensions/os/browser?limit=200')
  const [, ofSystems = []] = breakdowns.find(([name]) => name === 'os') ?? []
  for (const key of ['sessions', 'bounces'])
    assert.is(sum(systems, key), totals[key], `${key} by system and browser, ${range}`)
  for (const { key, sessions } of ofSystems)
    assert.is(
      sum(
        systems.filter(({ os }) => os === key),
        'sessions',
      ),
      sessions,
      `${key}, ${range}`,
    )
  return {
    totals,
    pages,
    entries,
    exits,
    breakdowns,
    systems,
    events: await data('/events'),
    utm: await data('/utm'),
    detail: (await api(`/events/signup?${range}`)).body.data,
  }
}

const ranges = fc
  .array(fc.tuple(fc.nat(96), fc.nat(96)), { minLength: 2, maxLength: 3 })
  .map(list =>
    [[0, 96] as [number, number], ...list].map(
      ([a, b]) => [Math.min(a, b), Math.max(a, b)].map(days => dayText(addDays(first, days))) as [string, string],
    ),
  )

const checkAll = async (running: Running, asked: [string, string][]): Promise<unknown[]> => {
  const found = []
  for (const [from, to] of asked) found.push(await check(running, from, to))
  return found
}

/** Averages per day depend on the days that have passed by then. */
const changing = ['properties', 'days', 'sessions_per_day']

/** Property values go with the single visits. */
const figures = (found: unknown): unknown =>
  JSON.parse(JSON.stringify(found, (key, value: unknown) => (changing.includes(key) ? undefined : value)))

test(`sums agree, before and after a restart, a rebuild and a purge (SEED=${seed})`, () =>
  checkAsync(
    fc.asyncProperty(steps, ranges, fc.nat(96), async (todo, asked, purged) => {
      const folder = mkdtempSync(join(tmpdir(), 'footfall-exact-'))
      const file = join(folder, 'test.db')
      const options = { file, flags: { timezone: zone.name } }
      const end = zone.startOf(last)
      try {
        let before: unknown[] = []
        await withService({ ...options, start: '2026-01-15T08:00:00Z' }, async running => {
          for (const [index, step] of todo.entries()) {
            running.clock.now = Math.min(running.clock.now + step.gap * 1000, end * 1000)
            await send(running, step, index)
          }
          await running.settled()
          before = await checkAll(running, asked)
          // Whole quarters, months and five-day blocks are summed by now.
          await running.restart()
          await running.settled()
          assert.equal(await checkAll(running, asked), before, 'after a restart')
        })
        const { db } = openDatabase(file)
        const { changed } = rebuildAll(db, zone, () => {})
        assert.equal(changed, [], 'a rebuild finds nothing to change')
        await purgeBefore(db, zone, addDays(first, purged))
        db.close()
        await withService({ ...options, start: '2026-04-20T08:00:00Z' }, async running => {
          await running.settled()
          assert.equal(figures(await checkAll(running, asked)), figures(before), 'after a purge')
        })
      } finally {
        rmSync(folder, { recursive: true })
      }
    }),
    { numRuns: 4, seed, includeErrorInReport: true },
  ))

test('a hit appears in every report without being asked for, and in /realtime at once', () =>
  withService({}, async running => {
    const { api, hit } = running
    await hit({ page_url: '/new?utm_source=letter', title: 'New', referrer: 'https://news.example/' })
    const { body } = await api('/realtime')
    assert.is(body.data.active_visitors, 1)
    assert.is(body.data.recent[0].page, '/new')
    const range = 'from=2026-03-10&to=2026-03-10'
    const paths = [
      '/pages',
      '/pages/entry',
      '/pages/exit',
      '/sources',
      '/utm',
      ...dimensions.map(name => `/dimensions/${name}`),
    ]
    // It takes less than two seconds on a machine that has the time; test/bench measures that.
    await until(async () => assert.is((await api(`/summary?${range}`)).body.data.totals.views, 1))
    for (const path of paths) {
      const { headers, body } = await api(`${path}?${range}`)
      assert.ok(body.data.length >= 1, path)
      // A page beyond the end of a list is empty, but still reports the length.
      const behind = await api(`${path}?${range}&offset=1000`)
      assert.equal([behind.body.data, behind.headers.get('x-wp-total')], [[], headers.get('x-wp-total')], path)
    }
  }))

test.run()
