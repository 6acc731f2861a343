// Ranges as days, thirds of months, months and quarters.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { periodsAround, periodsWithin } from '../../src/shop/period.ts'
import { addDays, eachDay } from '../../src/lib/time.ts'

const cases: [from: number, to: number, periods: number[]][] = [
  [20260314, 20260314, [20260314]],
  [20260311, 20260320, [2026031]],
  [20260301, 20260331, [202603]],
  [20260201, 20260228, [202602]],
  [20260221, 20260228, [2026022]],
  [20260309, 20260412, [20260309, 20260310, 2026031, 2026032, 2026040, 20260411, 20260412]],
  [20251231, 20260301, [20251231, 202601, 202602, 20260301]],
  [20260101, 20260331, [20261]],
  [20250930, 20260401, [20250930, 20254, 20261, 20260401]],
  [20250401, 20260430, [20252, 20253, 20254, 20261, 202604]],
]
for (const [from, to, periods] of cases) {
  test(`${from} to ${to} is ${periods.join(', ')}`, () => assert.equal(periodsWithin({ from, to }), periods))
}

test('each day of any range lies in exactly one of its periods, and no other day does', () => {
  fc.assert(
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
