// Where each alert begins and ends: one below the bound, at it, and one above.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Point } from '../../src/advisor/anomaly.ts'
import type { AlertKind } from '../../src/alerts/kinds.ts'
import { type AlertFacts, judge } from '../../src/alerts/watch/evaluate.ts'
import { addDays, createZone, dayText, eachDay } from '../../src/lib/time.ts'

const hour = 3600
const today = 20260310
const zone = createZone('UTC')
const now = zone.startOf(today) + 12 * hour

const quiet: AlertFacts = {
  now,
  zone,
  isTracking: true,
  first: null,
  hours: [],
  lastView: null,
  visitors: [],
  suspects: new Map(),
  notFound: [],
  outcomes: {},
  goals: [],
  disk: { free: 1000, size: 1000, samples: [] },
}

type Rule = { threshold: number; hours?: number | null }
const isFound = (kind: AlertKind, facts: Partial<AlertFacts>, rule: Rule, isRaised = false): boolean =>
  judge({ ...quiet, ...facts }, { kind, enabled: true, hours: null, ...rule }, isRaised) !== null

/** Days up to one, with as many on each, and others on the last ones. */
const pointsTo = (last: number, usual: number, ...ends: number[]): Point[] =>
  eachDay(addDays(last, -62), last).map((day, index) => ({
    date: dayText(day),
    visitors: ends[index - 63 + ends.length] ?? usual,
  }))

test('refused requests: more than the share of them, at least 20, and over below nine tenths of it', () => {
  const outcomes = (refused: number, received: number) => ({ outcomes: { received, foreign_host: refused } })
  for (const [refused, received, threshold, isRaised, found] of [
    [19, 20, 20, false, false],
    [20, 20, 20, false, true],
    [20, 101, 20, false, false],
    [20, 100, 20, false, false],
    [20, 99, 20, false, true],
    [200, 1000, 20, false, false],
    [201, 1000, 20, false, true],
    [181, 1000, 20, false, false],
    [181, 1000, 20, true, true],
    [180, 1000, 20, true, false],
    [179, 1000, 20, true, false],
    [19, 20, 20, true, false],
    [1000, 1000, 99, false, true],
    [990, 1000, 99, false, false],
  ] as const)
    assert.is(
      isFound('refused', outcomes(refused, received), { threshold, hours: 24 }, isRaised),
      found,
      `${refused} of ${received}, ${threshold} %, raised before: ${isRaised}`,
    )
  const kinds = { received: 100, foreign_host: 7, throttled: 7, invalid: 7, bot: 79 }
  assert.is(isFound('refused', { outcomes: kinds }, { threshold: 20, hours: 24 }), true)
  assert.is(isFound('refused', { outcomes: { ...kinds, invalid: 6 } }, { threshold: 20, hours: 24 }), false)
})

test('a disk: less than the share is free, and over when a ninth more than that is', () => {
  for (const [free, isRaised, found] of [
    [49, false, true],
    [50, false, false],
    [51, false, false],
    [50, true, true],
    [55, true, true],
    [56, true, false],
  ] as const)
    assert.is(
      isFound('disk', { disk: { free, size: 1000, samples: [] } }, { threshold: 5, hours: 72 }, isRaised),
      found,
      `${free}`,
    )
})

test('a disk that fills: within the hours at the pace of at least two days, and over when it takes a ninth longer', () => {
  const disk = (ago: number, before: number) => ({
    disk: { free: 1000, size: 10_000, samples: [{ at: now - ago, free: before }] },
  })
  for (const [ago, before, isRaised, found] of [
    [48 * hour - 1, 5000, false, false],
    [48 * hour, 5000, false, true],
    [48 * hour, 1000, false, false],
    [48 * hour, 900, false, false],
    // 72 hours: 1000 * 48 / 72 = 666.7 bytes in two days.
    [48 * hour, 1666, false, false],
    [48 * hour, 1667, false, true],
    // 80 hours: 600 bytes.
    [48 * hour, 1601, true, true],
    [48 * hour, 1601, false, false],
    [48 * hour, 1600, true, false],
    [48 * hour, 1599, true, false],
    [72 * hour, 2001, false, true],
    [72 * hour, 2000, false, false],
  ] as const)
    assert.is(
      isFound('disk', disk(ago, before), { threshold: 5, hours: 72 }, isRaised),
      found,
      `${before} ${ago / hour} hours ago`,
    )
})

test('many and few visitors: by at least as many as the threshold, and only if they are unusual', () => {
  for (const [usual, ends, threshold, spike, drop] of [
    [40, [60, 40], 20, true, false],
    [40, [59, 40], 20, false, false],
    [40, [60, 40], 21, false, false],
    [40, [40, 60], 20, true, false],
    [40, [40, 59], 20, false, false],
    [40, [20, 40], 20, false, true],
    [40, [21, 40], 20, false, false],
    [40, [20, 40], 21, false, false],
    // A day that is not over is never low.
    [40, [40, 0], 20, false, false],
    // Unusual is more than 30 % and a quarter of that.
    [400, [420, 400], 20, false, false],
    [400, [380, 400], 20, false, false],
    [400, [250, 400], 20, false, false],
    [400, [249, 400], 20, false, true],
    [400, [550, 400], 20, false, false],
    [400, [551, 400], 20, true, false],
  ] as const) {
    const visitors = pointsTo(today, usual, ...ends)
    assert.is(isFound('spike', { visitors }, { threshold }), spike, `spike ${usual} ${ends} ${threshold}`)
    assert.is(isFound('drop', { visitors }, { threshold }), drop, `drop ${usual} ${ends} ${threshold}`)
    assert.is(
      isFound('not_found', { notFound: visitors }, { threshold }),
      spike,
      `not_found ${usual} ${ends} ${threshold}`,
    )
  }
})

test('a spike says so if more than half of the visitors of its day look automated', () => {
  for (const [suspect, ends, said] of [
    [30, [40, 60], undefined],
    [31, [40, 60], 31],
    // Yesterday's spike is none of today's.
    [31, [60, 40], undefined],
  ] as const) {
    const facts = { ...quiet, visitors: pointsTo(today, 40, ...ends), suspects: new Map([[today, suspect]]) }
    const finding = judge(facts, { kind: 'spike', enabled: true, hours: null, threshold: 20 }, false)
    assert.is(finding?.values.suspect, said, `${suspect} ${ends}`)
  }
})

const yesterday = addDays(today, -1)

test('a goal: at most the share of what is usual, on the last day, three or seven days as far as the hours reach', () => {
  const goal = (...ends: number[]) => ({ goals: [{ name: 'Order', points: pointsTo(yesterday, 20, ...ends) }] })
  for (const [ends, threshold, hours, found] of [
    // Chance explains eight of 20 (2 in 1,000), and not six (0.3 in 1,000) or five (0.07).
    [[5], 50, 24, true],
    [[6], 50, 24, false],
    [[5], 25, 24, true],
    [[5], 24, 24, false],
    [[0], 0, 24, true],
    [[1], 0, 24, false],
    // In three days 30 of 60.
    [[10, 10, 10], 50, 24, false],
    [[10, 10, 10], 50, 71, false],
    [[10, 10, 10], 50, 72, true],
    [[10, 10, 11], 50, 72, false],
    // In seven days 70 of 140.
    [[10, 10, 10, 10, 10, 10, 10], 50, 167, true],
    [[7, 7, 7, 7, 14, 14, 14], 50, 167, false],
    [[7, 7, 7, 7, 14, 14, 14], 50, 168, true],
    [[7, 7, 7, 7, 14, 14, 15], 50, 168, false],
  ] as const)
    assert.is(isFound('goal', goal(...ends), { threshold, hours }), found, `${ends} ${threshold} % ${hours} h`)
})

test('of several goals the one that misses most visits is named, with their number', () => {
  const goals = [
    { name: 'Small', points: pointsTo(yesterday, 20, 0) },
    { name: 'Large', points: pointsTo(yesterday, 90, 1) },
    { name: 'Middle', points: pointsTo(yesterday, 40, 0) },
    { name: 'Fine', points: pointsTo(yesterday, 200, 199) },
  ]
  const rule = { kind: 'goal', enabled: true, threshold: 50, hours: 168 } as const
  const found = judge({ ...quiet, goals }, rule, false)
  assert.equal([found?.goal, found?.values.current, found?.values.usual, found?.values.goals], ['Large', 1, 90, 3])
  assert.is(judge({ ...quiet, goals }, { ...rule, enabled: false }, false), null)
})

test('silence: as many hours as the bound, to the second', () => {
  // A view in each hour, until 04:00:30 of today.
  const first = addDays(today, -40)
  const hours = eachDay(first, today).map(day => ({ day, views: 24, hours: day === today ? 0b11111 : 2 ** 24 - 1 }))
  const lastView = zone.startOf(today) + 4 * hour + 30
  const facts = (seconds: number) => ({ first, hours, lastView, now: lastView + seconds })
  for (const [seconds, minHours, found] of [
    [6 * hour - 1, 6, false],
    [6 * hour, 6, true],
    [6 * hour + 1, 6, true],
    [2 * hour - 1, 2, false],
    [2 * hour, 2, true],
  ] as const)
    assert.is(
      isFound('silent', facts(seconds), { threshold: 4, hours: minHours }),
      found,
      `${seconds} s of ${minHours} h`,
    )
  assert.is(isFound('silent', { ...facts(7 * hour), isTracking: false }, { threshold: 4, hours: 6 }), false)
  assert.is(isFound('silent', { ...facts(7 * hour), first: null }, { threshold: 4, hours: 6 }), false)
})

test.run()
