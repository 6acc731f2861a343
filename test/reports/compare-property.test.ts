// Whatever was recorded, and whatever it is compared with: rows add up to the totals, answers are those of the report, and
// all agree with the plain list of hits.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkAsync } from '../support/property.ts'
import { phone, type Running, withService } from '../support/service.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const
/** The nights on which clocks change in Berlin and in New York lie between them. */
const first = Date.parse('2026-10-22T00:00:00Z')
const minutes = 14 * 24 * 60

/** Minutes around those at which it is 00:01 in a zone, or as late as at the end. */
const nearCut = fc
  .tuple(
    fc.integer({ min: 6, max: 13 }),
    fc.constantFrom(-60, 0, 60, 240, 300, 1110, 1320, 1380),
    fc.constantFrom(0, 1, 2),
  )
  .map(([day, minute, later]) => day * 1440 + minute + later)

type Hit = { minute: number; page: string; byPhone: boolean }
const hits = fc.array(
  fc.record({
    minute: fc.oneof(fc.integer({ min: 0, max: minutes }), nearCut),
    page: fc.constantFrom('/', '/a', '/b', '/c'),
    byPhone: fc.boolean(),
  }),
  { maxLength: 25 },
)

const localDay = (zone: string, time: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(time)
const localTime = (zone: string, time: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' }).format(time)
const shifted = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)

const lists = [
  ['/pages', 'views'],
  ['/pages/entry', 'sessions'],
  ['/pages/exit', 'sessions'],
  ['/sources', 'sessions'],
  ['/sources?group_by=channel', 'sessions'],
  ['/dimensions/browser', 'sessions'],
  ['/dimensions/hour', 'sessions'],
  ['/dimensions/weekday', 'sessions'],
] as const

/** A filter, as what it selects of the hits; each is a visit of its own. */
const filters: readonly { query: string; selects: (hit: Hit) => boolean }[] = [
  { query: '', selects: () => true },
  { query: '&device=phone', selects: ({ byPhone }) => byPhone },
  { query: '&device=!phone', selects: ({ byPhone }) => !byPhone },
  { query: '&page=/a,/b*', selects: ({ page }) => page === '/a' || page === '/b' },
]

type Other = { compare: string; from: string; to: string }

/** The week or month that begins with the range and is not over. */
const partBefore = (from: string, to: string): { from: string; to: string } | null => {
  if (from !== to && new Date(from).getUTCDay() === 1) return { from: shifted(from, -7), to: shifted(to, -7) }
  if (from === to || !from.endsWith('-01')) return null
  const month = shifted(from, -1).slice(0, 8)
  return { from: `${month}01`, to: `${month}${to.slice(8)}` }
}

/** The other ranges of a range: the one before, and any of another length. */
const othersOf = (from: string, to: string, today: string, days: number): Other[] => {
  const before = (to === today ? partBefore(from, to) : null) ?? { from: shifted(from, -days), to: shifted(from, -1) }
  const longer = { from: shifted(from, -4), to: shifted(from, -2) }
  return [
    { compare: 'previous', ...before },
    { compare: `${longer.from}..${longer.to}`, ...longer },
  ]
}

/** Compares lists and answers with the totals of the other range. */
const agree = async (
  { api }: Running,
  range: string,
  filter: string,
  compare: string,
  views: number,
): Promise<void> => {
  const summary = `/summary?${range}&compare=${compare}${filter}`
  const { previous, totals } = (await api(summary)).body.data
  // Visitors of hours are not added up.
  for (const [interval, figures] of [
    ['day', ['visitors', 'sessions', 'views', 'bounces']],
    ['hour', ['sessions', 'views', 'bounces']],
  ] as const) {
    const { series } = (await api(`${summary}&interval=${interval}`)).body.data.previous
    for (const figure of figures) {
      const sum = series.reduce((all: number, point: Record<string, number>) => all + (point[figure] ?? 0), 0)
      assert.is(sum, previous.totals[figure], `${summary} ${interval} ${figure}`)
    }
  }
  assert.is(previous.totals.views, views, `${range} ${compare} ${filter}`)
  for (const [list, figure] of lists) {
    const path = `${list}${list.includes('?') ? '&' : '?'}${range}&compare=${compare}${filter}`
    const { data, meta } = (await api(`${path}&limit=200`)).body
    const sum = (key: string): number =>
      data.reduce((all: number, row: Record<string, number>) => all + (row[key] ?? 0), 0)
    assert.is(sum('previous') + meta.previous_unlisted, previous.totals[figure], path)
    assert.is(sum(figure), totals[figure], path)
  }
  if (filter !== '') return
  const { body } = await api('/advisor/answers', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids: ['q2', 'q3'], compare, ...Object.fromEntries(new URLSearchParams(range)) }),
  })
  for (const [index, figure] of (['visitors', 'views'] as const).entries()) {
    const { viz } = body.answers[index]
    assert.equal([viz.value, viz.previous], [totals[figure], previous.totals[figure]], `the answer on ${figure}`)
  }
}

test('rows and what only the other range has add up to its totals, and these to the hits', () =>
  checkAsync(
    fc.asyncProperty(
      hits,
      fc.constantFrom(...zones),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(0, 0, 1, 3),
      fc.boolean(),
      async (recorded, zone, length, back, justAfterMidnight) =>
        withService({ start: new Date(first).toISOString(), flags: { timezone: zone } }, async running => {
          const { clock, hit, settled } = running
          const sorted: readonly Hit[] = recorded.toSorted((one, other) => one.minute - other.minute)
          for (const [index, { minute, page, byPhone }] of sorted.entries()) {
            clock.now = first + minute * 60_000
            const headers = { 'x-forwarded-for': `10.${index}.0.1`, ...(byPhone && { 'user-agent': phone }) }
            await hit({ page_url: page }, headers)
          }
          clock.now = first + (minutes + 1) * 60_000
          if (justAfterMidnight) while (localTime(zone, clock.now).slice(0, 5) !== '00:01') clock.now += 60_000
          await settled()
          const today = localDay(zone, clock.now)
          const [from, to] = [shifted(today, 1 - length - back), shifted(today, -back)]
          const now = localTime(zone, clock.now)
          const isIn = (other: Other, { minute }: Hit): boolean => {
            const time = first + minute * 60_000
            const day = localDay(zone, time)
            if (day < other.from || day > other.to) return false
            return day < other.to || to !== today || localTime(zone, time) < now
          }
          for (const other of othersOf(from, to, today, length))
            for (const { query, selects } of filters) {
              const expected = sorted.filter(hit => selects(hit) && isIn(other, hit)).length
              await agree(running, `from=${from}&to=${to}`, query, other.compare, expected)
            }
        }),
    ),
    { numRuns: 12 },
  ))

test.run()
