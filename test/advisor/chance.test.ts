// The tests behind "about the same", against values of textbooks and tables.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sameAsShare, sameCounts, sameMeans, sameShares, sameSums } from '../../src/advisor/chance.ts'

test('counts: a Poisson rate test', () => {
  // Exact two-sided binomial: 5 and 0 p = 0.0625, 6 and 0 p = 0.031; 8 and 1 p = 0.039; 7 and 1 p = 0.070.
  assert.equal([sameCounts(5, 0), sameCounts(6, 0), sameCounts(8, 1), sameCounts(7, 1)], [true, false, false, true])
  // z = (1040 - 1000 - 1) / √2040 = 0.86, and (1100 - 1000 - 1) / √2100 = 2.16.
  assert.equal([sameCounts(1000, 1040), sameCounts(1000, 1100), sameCounts(0, 0)], [true, false, true])
})

test('shares: a two-proportion z-test', () => {
  // 41.3 % and 41 % of a thousand visits each; 41.3 % and 31 %.
  assert.equal([sameShares(413, 1000, 410, 1000), sameShares(413, 1000, 310, 1000)], [true, false])
  // χ² with Yates' correction of (15 of 20, 5 of 20): 8.1 > 3.84; of (12 of 20, 7 of 20): 1.6.
  assert.equal([sameShares(15, 20, 5, 20), sameShares(12, 20, 7, 20)], [false, true])
  assert.equal([sameShares(0, 0, 5, 5), sameShares(0, 10, 0, 10)], [true, true])
})

test('a share and a limit', () => {
  // 60 heads of 100 are z = 1.9 away from a half, 61 are 2.1.
  assert.equal([sameAsShare(60, 100, 0.5), sameAsShare(61, 100, 0.5), sameAsShare(0, 0, 0.5)], [true, false, true])
})

test('means and sums of values that spread like waiting times', () => {
  // Errors: √(51²/111 + 60²/30) = 12.0 s, and √(51²/11100 + 60²/3000) = 1.2 s.
  assert.equal(
    [sameMeans(51, 111, 60, 30), sameMeans(51, 11_100, 60, 3000), sameMeans(51, 0, 60, 3)],
    [true, false, true],
  )
  // Relative errors of 14.1 % at 100 orders each: 20 % more is chance, 50 % more is not.
  assert.equal([sameSums(1200, 100, 1000, 100), sameSums(1500, 100, 1000, 100)], [true, false])
  // Without orders in one of them, their number decides.
  assert.equal([sameSums(90, 3, 0, 0), sameSums(900, 30, 0, 0)], [true, false])
})

test.run()
