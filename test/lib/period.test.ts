// Division of ranges into days, five-day blocks, months and quarters.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { periodsAround, periodsWithin } from '../../src/lib/period.ts'
import { addDays, eachDay } from '../../src/lib/time.ts'
import { check } from '../support/property.ts'

const cases: [from: number, to: number, periods: number[]][] = [
  [20260314, 20260314, [20260314]],
  [20260311, 20260320, [20262700, 20262800]],
  [20260301, 20260331, [20260300]],
  [20260201, 20260228, [20260200]],
  [20260221, 20260228, [20262300, 20262400]],
  [
    20260309,
    20260412,
    [20260309, 20260310, 20262700, 20262800, 20262900, 20263000, 20263100, 20263200, 20260411, 20260412],
  ],
  [20251231, 20260301, [20251231, 20260100, 20260200, 20260301]],
  [20260101, 20260331, [20269100]],
  [20250930, 20260401, [20250930, 20259400, 20269100, 20260401]],
  [20250401, 20260430, [20259200, 20259300, 20259400, 20269100, 20260400]],
]
for (const [from, to, periods] of cases) {
  test(`${from} to ${to} is ${periods.join(', ')}`, () => assert.equal(periodsWithin({ from, to }), periods))
}

test('each day of any range lies in exactly one of its periods, and no other day does', () => {
  check(
    fc.property(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 800 }), (start, length) => {
      const from = addDays(20200101, start)
      const to = addDays(from, length)
      const periods = new Set(periodsWithin({ from, to }))
      const times = (day: number): number => periodsAround(day).filter(period => periods.has(period)).length
      assert.ok(eachDay(from, to).every(day => times(day) === 1))
      assert.ok(
        [...eachDay(addDays(from, -100), addDays(from, -1)), ...eachDay(addDays(to, 1), addDays(to, 100))].every(
          day => times(day) === 0,
        ),
      )
      assert.ok(periods.size <= Math.ceil(length / 90) + 2 * (2 + 2 + 10))
    }),
  )
})

test.run()
