import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addDays,
  createZone,
  daysBetween,
  dayText,
  eachDay,
  isZone,
  parseDay,
  timeText,
  weekday,
} from '../../src/lib/time.ts'
import { buckets } from '../../src/reports/interval.ts'
import { check } from '../support/property.ts'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Africa/Cairo',
  'America/Havana',
  'Pacific/Apia',
]
const second = (text: string): number => Date.parse(text) / 1000

/** The first second of a day where that is not what one would expect. */
const starts: [zone: string, day: number, start: string][] = [
  ['UTC', 20260310, '2026-03-10T00:00:00Z'],
  ['Europe/Berlin', 20260329, '2026-03-28T23:00:00Z'],
  ['Europe/Berlin', 20260330, '2026-03-29T22:00:00Z'],
  ['Europe/Berlin', 20261026, '2026-10-25T23:00:00Z'],
  ['Pacific/Kiritimati', 20260310, '2026-03-09T10:00:00Z'],
  ['Pacific/Pago_Pago', 20260310, '2026-03-10T11:00:00Z'],
  // Midnight does not exist: clocks go from 23:59:59 to 01:00:00.
  ['Asia/Beirut', 20260329, '2026-03-28T22:00:00Z'],
  ['Africa/Cairo', 20260424, '2026-04-23T22:00:00Z'],
  ['America/Sao_Paulo', 20181104, '2018-11-04T03:00:00Z'],
  // Midnight comes twice.
  ['America/Havana', 20251102, '2025-11-02T04:00:00Z'],
]

for (const [zone, day, start] of starts) {
  test(`${dayText(day)} begins in ${zone} at ${start}`, () => assert.is(timeText(createZone(zone).startOf(day)), start))
}

test('a skipped day has no length', () => {
  const apia = createZone('Pacific/Apia')
  assert.is(apia.startOf(20111230), apia.startOf(20111231))
})

test('every time is within its day', () => {
  check(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: second('2015-01-01T00:00:00Z'), max: second('2035-01-01T00:00:00Z') }),
      (name, at) => {
        const zone = createZone(name)
        const day = zone.dayOf(at)
        assert.ok(zone.startOf(day) <= at && at < zone.startOf(addDays(day, 1)))
        assert.is(zone.dayOf(zone.startOf(day)), day)
        assert.is(zone.dayOf(zone.startOf(day) - 1) < day, true)
      },
    ),
    { numRuns: 300 },
  )
})

test('day arithmetic', () => {
  check(
    fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -5000, max: 5000 }), (offset, count) => {
      const day = addDays(19700101, offset)
      assert.is(parseDay(dayText(day)), day)
      assert.is(addDays(addDays(day, count), -count), day)
      assert.is(daysBetween(day, addDays(day, Math.abs(count))), Math.abs(count) + 1)
      assert.is(weekday(addDays(day, 7)), weekday(day))
    }),
  )
  assert.equal(eachDay(20240228, 20240301), [20240228, 20240229, 20240301])
  assert.equal(eachDay(20240301, 20240228), [])
  assert.is(weekday(20261121), 6)
})

test('zones are found by name', () => {
  assert.ok(isZone('Europe/Berlin'))
  assert.not(isZone('Europe/Nowhere'))
})

test('buckets cover the range once, and mark partial ones', () => {
  const weeks = buckets({ from: 20260304, to: 20260317 }, 'week', { weekStart: 1 })
  assert.equal(
    weeks.map(({ first, days, partial }) => [first, days.length, partial]),
    [
      [20260302, 5, true],
      [20260309, 7, false],
      [20260316, 2, true],
    ],
  )
  const fromSunday = buckets({ from: 20260301, to: 20260315 }, 'week', { weekStart: 7 })
  assert.equal(
    fromSunday.map(({ first, days, partial }) => [first, days.length, partial]),
    [
      [20260301, 7, false],
      [20260308, 7, false],
      [20260315, 1, true],
    ],
  )
  const months = buckets({ from: 20260201, to: 20260315 }, 'month', { weekStart: 1 })
  assert.equal(
    months.map(({ first, days, partial }) => [first, days.length, partial]),
    [
      [20260201, 28, false],
      [20260301, 15, true],
    ],
  )
})

const clockTimes: [zone: string, day: number, time: string, at: string][] = [
  ['Europe/Berlin', 20260328, '23:30', '2026-03-28T22:30:00Z'],
  ['Europe/Berlin', 20260329, '01:59', '2026-03-29T00:59:00Z'],
  ['Europe/Berlin', 20260329, '02:30', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', 20260329, '23:30', '2026-03-29T21:30:00Z'],
  ['Europe/Berlin', 20261025, '02:30', '2026-10-25T00:30:00Z'],
  ['Europe/Berlin', 20261025, '03:00', '2026-10-25T02:00:00Z'],
  ['Europe/Berlin', 20261025, '23:30', '2026-10-25T22:30:00Z'],
  ['Australia/Lord_Howe', 20260405, '01:45', '2026-04-04T14:45:00Z'],
  ['Australia/Lord_Howe', 20260405, '02:00', '2026-04-04T15:30:00Z'],
  ['Australia/Lord_Howe', 20261004, '02:15', '2026-10-03T15:30:00Z'],
  ['Australia/Lord_Howe', 20261004, '12:00', '2026-10-04T01:00:00Z'],
  // The day begins at one o'clock.
  ['Africa/Cairo', 20260424, '00:30', '2026-04-23T22:00:00Z'],
  ['Africa/Cairo', 20260424, '08:00', '2026-04-24T05:00:00Z'],
]
for (const [zone, day, time, at] of clockTimes) {
  test(`${time} on ${day} in ${zone} is ${at}`, () => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    assert.is(timeText(createZone(zone).secondAt(day, hours * 3600 + minutes * 60)), at)
  })
}

/** Days of four years on which the clocks of a zone change, and the days after them. */
const changeDays = (name: string): number[] => {
  const zone = createZone(name)
  const days = eachDay(20240101, 20271231).filter(day => day % 100 === 1 || day % 100 === 15)
  const changed = (first: number, next: number): boolean => zone.timeOf(first) !== zone.timeOf(next)
  return days.flatMap((day, index) => {
    const next = days[index + 1] ?? day
    // Noon on both days in UTC, which is the same time on a clock that does not change.
    const [low, high] = [second(`${dayText(day)}T12:00:00Z`), second(`${dayText(next)}T12:00:00Z`)]
    if (!changed(low, high)) return []
    const at = eachDay(day, next).find(one => changed(low, second(`${dayText(one)}T12:00:00Z`))) ?? next
    return [addDays(at, -1), at, addDays(at, 1)]
  })
}

test('the hours of every day are those of the clock, in every zone of the world', () => {
  let uneven = 0
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const days = changeDays(name)
    if (days.length === 0) continue
    const zone = createZone(name)
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: name, hour: '2-digit', minute: '2-digit' })
    for (const day of days) {
      const hours = zone.hoursOf(day)
      uneven += Number(zone.hourShift(day).by !== 0)
      const [start, end] = [zone.startOf(day), zone.startOf(addDays(day, 1))]
      assert.equal([hours[0]?.start, hours.at(-1)?.end], [start, end], `${name} ${day}`)
      let at = start
      for (const [index, hour] of hours.entries()) {
        assert.equal([hour.hour, hour.start], [index, at], `${name} ${day}`)
        const label = clock.format(hour.start * 1000).slice(0, 2)
        // An hour shows one time after the other, and ends where the clock shows another hour or changes.
        const first = Number(clock.format(hour.start * 1000).slice(3))
        for (; at < hour.end; at += 900) {
          const minutes = String(first + (at - hour.start) / 60).padStart(2, '0')
          assert.is(clock.format(at * 1000), `${label}:${minutes}`, `${name} ${day} ${index}`)
          assert.equal([at, at + 899].map(zone.hourOfDay), [index, index], `${name} ${day} ${index}`)
        }
        const last = first + (hour.end - hour.start) / 60
        assert.ok(last === 60 || clock.format(hour.end * 1000) !== `${label}:${last}`, `${name} ${day} ${index}`)
      }
    }
  }
  // Lord Howe and Chatham, twice a year.
  assert.is(uneven, 16)
})

test.run()
