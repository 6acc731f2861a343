// The range that a range is compared with, against a plain reading of the calendar.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { earlierRange, stepBack, stepOn } from '../../src/lib/earlier-range.ts'
import { addDays, daysBetween, dayText, parseDay, weekday } from '../../src/lib/time.ts'
import { check } from '../support/property.ts'

const rangeOf = (text: string) => {
  const [from = '', to = from] = text.split(' ')
  return { from: parseDay(from), to: parseDay(to) }
}
const textOf = ({ from, to }: { from: number; to: number }): string => `${dayText(from)} ${dayText(to)}`

/** Today, the range, and the one before. */
const previous: readonly [string, string, string][] = [
  ['2026-11-26', '2026-11-23 2026-11-26', '2026-11-16 2026-11-19'],
  ['2026-11-26', '2026-11-01 2026-11-26', '2026-10-01 2026-10-26'],
  ['2026-11-26', '2026-10-01 2026-11-26', '2026-07-01 2026-08-26'],
  ['2026-11-26', '2026-01-01 2026-11-26', '2025-01-01 2025-11-26'],
  ['2026-11-26', '2026-10-01 2026-10-31', '2026-09-01 2026-09-30'],
  ['2026-11-26', '2026-11-16 2026-11-22', '2026-11-09 2026-11-15'],
  ['2026-11-26', '2026-07-01 2026-09-30', '2026-04-01 2026-06-30'],
  ['2026-11-26', '2025-01-01 2025-12-31', '2024-01-01 2024-12-31'],
  ['2026-11-26', '2026-10-30 2026-11-26', '2026-10-02 2026-10-29'],
  ['2026-11-26', '2026-08-28 2026-11-26', '2026-05-29 2026-08-27'],
  ['2026-11-26', '2026-11-26', '2026-11-25'],
  // A part of a unit that does not end today is like any other range.
  ['2026-11-26', '2026-11-01 2026-11-25', '2026-10-07 2026-10-31'],
  ['2026-11-26', '2026-11-02 2026-11-26', '2026-10-08 2026-11-01'],
  // The first day of a unit is a day.
  ['2026-11-01', '2026-11-01', '2026-10-31'],
  ['2026-11-23', '2026-11-23', '2026-11-22'],
  // The shortest unit decides.
  ['2026-06-03', '2026-06-01 2026-06-03', '2026-05-25 2026-05-27'],
  ['2026-01-26', '2026-01-01 2026-01-26', '2025-12-01 2025-12-26'],
  // Shorter units before end earlier.
  ['2026-03-30', '2026-03-01 2026-03-30', '2026-02-01 2026-02-28'],
  ['2026-05-31', '2026-04-01 2026-05-31', '2026-01-01 2026-02-28'],
  ['2028-02-29', '2028-01-01 2028-02-29', '2027-10-01 2027-11-29'],
  ['2028-07-29', '2028-01-01 2028-07-29', '2027-01-01 2027-07-29'],
  ['2026-03-31', '2026-03-01 2026-03-31', '2026-02-01 2026-02-28'],
]
for (const [today, range, other] of previous)
  test(`on ${today}, ${range} is compared with ${other}`, () => {
    assert.is(
      textOf(earlierRange(rangeOf(range), 'previous', { today: parseDay(today), weekStart: 1 })),
      textOf(rangeOf(other)),
    )
  })

test('a week is compared with the one before from the weekday on that the site has chosen', () => {
  for (const [weekStart, today, range, other] of [
    [7, '2026-11-26', '2026-11-22 2026-11-26', '2026-11-15 2026-11-19'],
    [7, '2026-11-26', '2026-11-15 2026-11-21', '2026-11-08 2026-11-14'],
    [7, '2026-11-26', '2026-11-23 2026-11-26', '2026-11-19 2026-11-22'],
    [6, '2026-11-26', '2026-11-21 2026-11-26', '2026-11-14 2026-11-19'],
    [7, '2026-11-26', '2026-11-01 2026-11-26', '2026-10-01 2026-10-26'],
  ] as const)
    assert.is(
      textOf(earlierRange(rangeOf(range), 'previous', { today: parseDay(today), weekStart })),
      textOf(rangeOf(other)),
      `${range}, weeks from ${weekStart}`,
    )
})

test('a year before, by date and by weekday', () => {
  const before = (name: 'year' | 'year_weekday', text: string) =>
    textOf(earlierRange(rangeOf(text), name, { today: 20260101, weekStart: 1 }))
  assert.is(before('year', '2024-02-29 2024-03-31'), '2023-02-28 2023-03-31')
  assert.is(before('year', '2026-11-23 2026-11-26'), '2025-11-23 2025-11-26')
  assert.is(before('year_weekday', '2026-11-23 2026-11-26'), '2025-11-24 2025-11-27')
})

const anyRange = fc
  .tuple(
    fc.integer({ min: 0, max: 4000 }),
    fc.integer({ min: 0, max: 400 }),
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 1, max: 7 }),
  )
  .map(([start, length, ago, weekStart]) => {
    const from = addDays(20180101, start)
    const to = addDays(from, length)
    return { range: { from, to }, present: { today: addDays(to, ago < 20 ? 0 : ago - 20), weekStart } }
  })

test('whatever the range, the one before ends before it, is no longer and keeps its place in the calendar', () => {
  check(
    fc.property(anyRange, ({ range, present }) => {
      const other = earlierRange(range, 'previous', present)
      assert.ok(other.from <= other.to && other.to < range.from, textOf(other))
      const [length, before] = [daysBetween(range.from, range.to), daysBetween(other.from, other.to)]
      const back = stepBack(range, present)
      assert.is(back.from, other.from)
      assert.ok(back.to >= other.to && back.to < range.from)
      if (addDays(other.to, 1) === range.from && length === before) return
      // Another range begins with a unit as this one does.
      const month = (day: number): boolean => day % 100 === 1
      assert.ok(
        (month(range.from) && month(other.from)) ||
          (weekday(range.from) === present.weekStart && weekday(other.from) === present.weekStart),
        textOf(other),
      )
      assert.ok(Math.abs(length - before) <= 4, `${length} days against ${before}`)
      const named = earlierRange(range, 'year_weekday', present)
      assert.is(weekday(named.from), weekday(range.from))
    }),
    { numRuns: 1000 },
  )
})

test('a step on from the whole unit before leads back', () => {
  check(
    fc.property(anyRange, ({ range, present }) => {
      const back = stepBack(range, present)
      assert.is(stepOn(back, present).from, range.from)
    }),
    { numRuns: 300 },
  )
})

test.run()
