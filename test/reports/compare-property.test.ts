// Whatever was recorded, and whatever it is compared with: rows add up to the totals, and both to the plain list of hits.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkAsync } from '../support/property.ts'
import { withService } from '../support/service.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const
/** The nights on which clocks change in Berlin and in New York lie between them. */
const first = Date.parse('2026-10-22T00:00:00Z')
const minutes = 14 * 24 * 60

type Hit = { minute: number; page: string }
const hits = fc.array(
  fc.record({ minute: fc.integer({ min: 0, max: minutes }), page: fc.constantFrom('/', '/a', '/b', '/c') }),
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
  ['/sources', 'sessions'],
  ['/dimensions/browser', 'sessions'],
  ['/dimensions/hour', 'sessions'],
] as const

test('rows and what only the other range has add up to its totals, and these to the hits', () =>
  checkAsync(
    fc.asyncProperty(
      hits,
      fc.constantFrom(...zones),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 3 }),
      fc.boolean(),
      async (recorded, zone, length, back, justAfterMidnight) =>
        withService({ start: new Date(first).toISOString(), flags: { timezone: zone } }, async running => {
          const { clock, hit, settled, api } = running
          const sorted: readonly Hit[] = recorded.toSorted((one, other) => one.minute - other.minute)
          for (const [index, { minute, page }] of sorted.entries()) {
            clock.now = first + minute * 60_000
            await hit({ page_url: page }, { 'x-forwarded-for': `10.${index}.0.1` })
          }
          clock.now = first + (minutes + 1) * 60_000
          if (justAfterMidnight) while (localTime(zone, clock.now).slice(0, 5) !== '00:01') clock.now += 60_000
          await settled()
          const today = localDay(zone, clock.now)
          const [from, to] = [shifted(today, 1 - length), shifted(today, -back)]
          if (from > to) return
          const days = length - back
          const [otherFrom, otherTo] = [shifted(from, -days), shifted(from, -1)]
          const now = localTime(zone, clock.now)
          const isCounted = ({ minute }: Hit): boolean => {
            const time = first + minute * 60_000
            const day = localDay(zone, time)
            return (
              day >= otherFrom && (day < otherTo || (day === otherTo && (to !== today || localTime(zone, time) < now)))
            )
          }
          const expected = sorted.filter(isCounted).length
          const range = `from=${from}&to=${to}&compare=previous`
          const { previous } = (await api(`/summary?${range}`)).body.data
          assert.equal([previous.from, previous.to, previous.totals.views], [otherFrom, otherTo, expected])
          for (const [list, figure] of lists) {
            const { data, meta } = (await api(`${list}?${range}&limit=200`)).body
            const rows: number = data.reduce((sum: number, row: { previous: number }) => sum + row.previous, 0)
            assert.is(rows + meta.previous_unlisted, previous.totals[figure], list)
          }
        }),
    ),
    { numRuns: 12 },
  ))

test.run()
