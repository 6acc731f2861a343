// Conversion of decimal texts to minor units and back, without floating point.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { digitsOf, divide, parseDecimal, toMajor } from '../../src/shop/money.ts'
import { check } from '../support/property.ts'

const cases: [given: string | number, digits: number, units: number | null][] = [
  ['51.90', 2, 5190],
  ['0.1', 2, 10],
  ['.5', 2, 50],
  ['7.', 2, 700],
  ['-30.00', 2, -3000],
  ['+1', 2, 100],
  [' 3.20 ', 2, 320],
  ['1200', 0, 1200],
  ['1200.50', 0, 1201],
  ['-1200.5', 0, -1201],
  ['1.2345', 3, 1235],
  ['1.2344', 3, 1234],
  ['0.005', 2, 1],
  ['-0.005', 2, -1],
  ['0.0049999999999999999', 2, 0],
  ['-0.00', 2, 0],
  [16.2, 2, 1620],
  [0.1, 2, 10],
  ['1.005', 2, 101],
  ['8.165', 2, 817],
  ['', 2, null],
  ['.', 2, null],
  ['abc', 2, null],
  ['1,234.00', 2, null],
  ['1e5', 2, null],
  ['0x10', 2, null],
  ['--1', 2, null],
  ['1.2.3', 2, null],
  ['99999999999999999', 2, null],
  ['1'.repeat(41), 0, null],
  [Number.NaN, 2, null],
  [Number.POSITIVE_INFINITY, 2, null],
]
for (const [given, digits, units] of cases) {
  test(`${JSON.stringify(given)} with ${digits} digits is ${units}`, () =>
    assert.is(parseDecimal(given, digits), units))
}

test('currencies have the digits of ISO 4217', () => {
  assert.equal(
    ['EUR', 'USD', 'JPY', 'KRW', 'JOD', 'KWD', 'HUF', 'XAF', 'CLF'].map(digitsOf),
    [2, 2, 0, 0, 3, 3, 2, 0, 4],
  )
})

test('halves are rounded away from zero', () => {
  assert.equal(
    [divide(5n, 2n), divide(-5n, 2n), divide(5n, -2n), divide(4n, 3n), divide(-4n, 3n), divide(0n, 7n)],
    [3n, -3n, -3n, 1n, -1n, 0n],
  )
})

test('every amount converts back to the number nearest to its decimal text', () => {
  check(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 4 }), (units, digits) => {
      const sign = units < 0 ? '-' : ''
      const text = Math.abs(units)
        .toString()
        .padStart(digits + 1, '0')
      const decimal = digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
      assert.is(parseDecimal(decimal, digits), units)
      assert.is(toMajor(BigInt(units), digits), Number(decimal) + 0)
    }),
  )
})

test('sums beyond the safe integers stay exact', () => {
  assert.is(toMajor(9_007_199_254_740_993_00n, 2), 9_007_199_254_740_992)
  assert.is(toMajor(-1n, 3), -0.001)
})

test.run()
