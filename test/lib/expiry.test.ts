// When something expires: one second before a bound, at it, and one after.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseExpiry, readExpiry } from '../../src/lib/expiry.ts'
import { createZone } from '../../src/lib/time.ts'

const now = Date.parse('2026-03-10T22:59:59Z') / 1000
const berlin = createZone('Europe/Berlin')
const at = (text: string): number => Date.parse(text) / 1000

const cases: [text: string, at: number | null, problem: RegExp | null][] = [
  ['2026-03-10T22:59:58Z', null, /is in the past/],
  ['2026-03-10T22:59:59Z', null, /is in the past/],
  ['2026-03-10T23:00:00Z', now + 1, null],
  // The day ends at 23:00 UTC: its last second is now, and no longer to come.
  ['2026-03-10', null, /is in the past/],
  ['2026-03-11', at('2026-03-11T22:59:59Z'), null],
  // The day on which clocks go forward has 23 hours.
  ['2026-03-29', at('2026-03-29T21:59:59Z'), null],
  ['0h', null, /is in the past/],
  ['1h', now + 3600, null],
  ['3660d', now + 3660 * 86_400, null],
  ['3661d', null, /more than 3,660 days away/],
  ['87840h', now + 3660 * 86_400, null],
  ['87841h', null, /more than 3,660 days away/],
  ['522w', now + 3654 * 86_400, null],
  ['523w', null, /more than 3,660 days away/],
  ['99999h', null, /more than 3,660 days away/],
  ['100000h', null, /is not a time/],
  ['1m', null, /is not a time/],
  ['2026-02-29', null, /is not a time/],
  ['2026-03-11T00:00:00', null, /is not a time/],
]
for (const [text, second, problem] of cases)
  test(`${text} is ${second ?? problem}`, () => {
    const read = readExpiry(text, now, berlin)
    assert.is(read.at, second)
    if (problem === null) assert.is(read.problem, null)
    else assert.match(read.problem ?? '', problem)
  })

test('without a time it is none', () => {
  assert.is(parseExpiry('', now), null)
  assert.is(parseExpiry('12h', now), now + 12 * 3600)
})

test.run()
