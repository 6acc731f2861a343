// Which changes of figures the dashboard shows as good or bad.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { judgeChange, pointsBetween } from '../../src/dashboard/parts/judge-change.ts'

const better = { lowerIsBetter: false, unfair: false }
const lower = { lowerIsBetter: true, unfair: false }
const unfair = { lowerIsBetter: false, unfair: true }

for (const [now, before, change, how, judged] of [
  [11, 10, 0.1, better, { up: true, verdict: 'good' }],
  [9, 10, -0.1, better, { up: false, verdict: 'bad' }],
  [11, 10, 0.1, lower, { up: true, verdict: 'bad' }],
  [9, 10, -0.1, lower, { up: false, verdict: 'good' }],
  [11, 10, 0.1, unfair, { up: true, verdict: '' }],
  [9, 10, -0.1, { lowerIsBetter: true, unfair: true }, { up: false, verdict: '' }],
  [10, 10, 0, better, 'unchanged'],
  [0, 0, null, better, 'unchanged'],
  [0, 0, null, lower, 'unchanged'],
  [1, 0, null, better, 'new'],
  [1, 0, undefined, better, 'new'],
  [0, 1, -1, better, { up: false, verdict: 'bad' }],
  // A change so small that its fraction is rounded to nothing is a change all the same.
  [100_001, 100_000, 0, better, { up: true, verdict: 'good' }],
  [null, 10, null, better, 'unknown'],
  [10, null, null, better, 'unknown'],
  [undefined, 10, null, better, 'unknown'],
  [10, undefined, 0.1, better, 'unknown'],
] as const)
  test(`${now} after ${before}, ${JSON.stringify(how)}, is ${JSON.stringify(judged)}`, () =>
    assert.equal(judgeChange({ now, before }, { change, ...how }), judged))

test('fractions differ by percentage points', () => {
  for (const [now, before, points] of [
    [0.5, 0.25, 25],
    [0.25, 0.5, 25],
    [0.3333, 0.3333, 0],
    [0.1234, 0.1233, 0.01],
    [0.12341, 0.12336, 0.01],
    [0.12341, 0.12337, 0],
    [1, 0, 100],
  ] as const)
    assert.is(pointsBetween(now, before), points, `${now} and ${before}`)
})

test.run()
