// What the dashboard works out by itself: the address, periods, the search for questions, and its texts.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addDays, compared } from '../../src/dashboard/app/days.ts'
import { presets, step } from '../../src/dashboard/app/periods.ts'
import {
  type Filter,
  type FilterKey,
  filterBy,
  filterKeys,
  filterText,
  readFilter,
  readState,
  type State,
  toggleFilter,
  writeState,
} from '../../src/dashboard/app/url.ts'
import { pairPoints } from '../../src/dashboard/parts/compared-series.ts'
import { aDay } from '../../src/dashboard/parts/judge-change.ts'
import { createZone } from '../../src/lib/time.ts'
import { type FilterText, readFilterText, valueAlone } from '../../src/reports/filters/syntax.ts'
import { readSegment } from '../../src/reports/segment.ts'
import { check } from '../support/property.ts'

/** In the order in which the page shows them. */
const shownKeys: FilterKey[] = ['segment', ...filterKeys, 'property.a/b', 'property.plan']
const value = fc
  .string({
    unit: fc.constantFrom('a', 'B', '/', ',', '!', '?', '&', '=', '%', '+', ' ', 'ü', '#', '日', '*', '\\'),
    minLength: 1,
    maxLength: 8,
  })
  .map(text => text.trim())
  .filter(text => text !== '')
/** A saved segment is one, by its name. */
const filterOf = (key: FilterKey): fc.Arbitrary<Filter> =>
  fc.record(
    {
      key: fc.constant(key),
      included: key === 'segment' ? fc.constant(true) : fc.boolean(),
      values: fc.uniqueArray(value, { minLength: 1, maxLength: key === 'segment' ? 1 : 3 }),
    },
    { noNullPrototype: true },
  )
const filters = fc
  .uniqueArray(fc.constantFrom(...shownKeys).chain(filterOf), { selector: ({ key }) => key })
  .map(list => [...list].sort((a, b) => shownKeys.indexOf(a.key) - shownKeys.indexOf(b.key)))
const text = fc.option(value, { nil: null })

const comparisons = fc.constantFrom<Pick<State, 'compare' | 'compareFrom' | 'compareTo'>[]>(
  ...(['previous', 'year', 'off'] as const).map(compare => ({ compare, compareFrom: null, compareTo: null })),
  { compare: 'custom', compareFrom: '2025-11-24', compareTo: '2025-11-30' },
)

const states: fc.Arbitrary<State> = fc
  .record(
    {
      view: fc.constantFrom('overview' as const, 'page' as const, 'realtime' as const, 'ask' as const),
      period: fc.constantFrom(null, ...presets.map(({ id }) => id)),
      from: fc.constant(null),
      to: fc.constant(null),
      wrongDays: fc.constant(false),
      interval: fc.constantFrom(null, 'hour' as const, 'week' as const),
      metric: text,
      currency: fc.constantFrom(null, 'EUR'),
      filters,
      tabs: fc.constantFrom({}, { sources: 'source', pages: 'entry' }),
      details: text,
      search: fc.oneof(fc.constant(''), value),
      sort: text,
      at: fc.nat(500),
      goal: text,
      event: text,
      paths: text,
      ask: text,
    },
    { noNullPrototype: true },
  )
  .chain(state => comparisons.map(compared => ({ ...state, ...compared })))

test('an address says the whole state', () => {
  check(
    fc.property(states, fc.constantFrom('overview' as const, 'realtime' as const, 'ask' as const), (state, home) => {
      assert.equal(readState(writeState(state, home), home), state)
    }),
  )
})

test('an address that says nothing opens the page that the user begins with, any other the overview', () => {
  assert.is(readState('', 'realtime').view, 'realtime')
  assert.is(readState('?period=7d', 'realtime').view, 'overview')
  assert.is(writeState(readState('', 'realtime'), 'realtime'), '')
  assert.is(writeState(readState('?view=overview', 'realtime'), 'realtime'), '?view=overview')
  assert.is(writeState(readState('?view=overview&period=7d', 'realtime'), 'realtime'), '?period=7d')
})

test('the API reads filters as the dashboard writes them', () => {
  check(
    fc.property(filters, list => {
      const query = new URLSearchParams(writeState({ ...readState(''), filters: list }))
      const segment = readSegment(Object.fromEntries(query))
      for (const { key, included, values } of list) {
        // A saved segment is no condition, but its name.
        if (key === 'segment') continue
        const condition = segment?.find(({ name }) => name === key)
        assert.is(condition?.included, included)
        assert.equal(
          condition?.values.map(({ raw }) => valueAlone(raw)),
          values,
        )
        assert.equal(readFilter(key, filterText({ key, included, values })), { key, included, values })
      }
    }),
  )
})

test('the dashboard and the API read a text alike, no matter which of them wrote it', () => {
  const units = ['a', 'b', ',', '!', '*', '\\', ' '] as const
  const written = fc.string({ unit: fc.constantFrom(...units), maxLength: 12 })
  const keys = shownKeys.filter(key => key !== 'segment')
  check(
    fc.property(fc.constantFrom(...keys), written, (key, text) => {
      const own = readFilter(key, text)
      const meaning = ({ included, values }: FilterText) => ({
        included,
        values: values.map(({ raw: _, ...one }) => one),
      })
      assert.equal(own.included, readFilterText(key, text).included)
      assert.equal(meaning(readFilterText(key, filterText(own))), meaning(readFilterText(key, text)))
      assert.equal(readFilter(key, filterText(own)), own)
    }),
  )
  assert.equal(readFilter('page', ' !/tea , /a\\,b,/c\\*d'), {
    key: 'page',
    included: false,
    values: ['/tea', '/a,b', '/c\\*d'],
  })
})

test('a row stands for just its text', () => {
  check(
    fc.property(fc.constantFrom<FilterKey[]>('page', 'event', 'browser', 'property.plan'), value, (key, text) => {
      const [only] = readFilterText(key, filterText(filterBy(key, text))).values
      assert.equal([only?.text, only?.isPattern], [text, false])
    }),
  )
})

test('a segment is called as it is, with commas and marks', () => {
  const [segment] = readState('?segment=!Tea%2C%20coffee').filters
  assert.equal(segment, { key: 'segment', included: true, values: ['!Tea, coffee'] })
  assert.is(segment && filterText(segment), '!Tea, coffee')
})

test('what is not a day, tab or number in an address is skipped', () => {
  const state = readState('?from=2026-02-30&to=2026-03-01&view=nonsense&compare=x&at=-5&interval=year&period=never')
  assert.equal(
    [state.period, state.from, state.wrongDays, state.view, state.compare, state.at, state.interval],
    [null, null, true, 'overview', 'previous', 0, null],
  )
  const custom = readState('?compare=custom&compare_from=2026-03-09&compare_to=2026-03-01')
  assert.equal([custom.compare, custom.compareFrom, custom.compareTo], ['previous', null, null])
})

test('a row chosen twice is not a filter any more', () => {
  const once = toggleFilter([], 'country', 'DE')
  assert.equal(once, [{ key: 'country', included: true, values: ['DE'] }])
  assert.equal(toggleFilter(once, 'country', 'DE'), [])
  assert.equal(toggleFilter(once, 'country', 'AT'), [{ key: 'country', included: true, values: ['AT'] }])
})

const today = '2026-03-10'
const now = { today, weekStart: 1 }

const steps: readonly [string, { from: string; to: string }, 1 | -1, { from: string; to: string }][] = [
  ['a day', { from: today, to: today }, -1, { from: '2026-03-09', to: '2026-03-09' }],
  ['28 days', { from: '2026-02-11', to: today }, -1, { from: '2026-01-14', to: '2026-02-10' }],
  ['a month', { from: '2026-02-01', to: '2026-02-28' }, -1, { from: '2026-01-01', to: '2026-01-31' }],
  ['a month that is not over', { from: '2026-03-01', to: today }, -1, { from: '2026-02-01', to: '2026-02-28' }],
  [
    'a month on to the one that is not over',
    { from: '2026-02-01', to: '2026-02-28' },
    1,
    { from: '2026-03-01', to: today },
  ],
  ['a week that is not over', { from: '2026-03-09', to: today }, -1, { from: '2026-03-02', to: '2026-03-08' }],
  ['the last week', { from: '2026-03-02', to: '2026-03-08' }, 1, { from: '2026-03-09', to: today }],
  ['a year', { from: '2025-01-01', to: '2025-12-31' }, -1, { from: '2024-01-01', to: '2024-12-31' }],
]
for (const [name, span, direction, expected] of steps) {
  test(`a step from ${name}, ${direction}`, () => {
    assert.equal(step(span, direction, now), expected)
  })
}

test('weeks begin on the chosen weekday, quarters with January, April, July and October', () => {
  const spanOf = (id: string, day: string, weekStart = 1) => {
    const { from, to } = presets.find(one => one.id === id)?.span({ today: day, weekStart, hour: 15, first: day }) ?? {
      from: '',
      to: '',
    }
    return `${from} ${to}`
  }
  for (const [id, day, span] of [
    ['week', '2026-03-09', '2026-03-09 2026-03-09'],
    ['week', '2026-03-15', '2026-03-09 2026-03-15'],
    ['last_week', '2026-03-09', '2026-03-02 2026-03-08'],
    ['last_week', '2026-01-01', '2025-12-22 2025-12-28'],
    ['last_month', '2026-03-31', '2026-02-01 2026-02-28'],
    ['quarter', '2026-06-30', '2026-04-01 2026-06-30'],
    ['last_quarter', '2026-01-01', '2025-10-01 2025-12-31'],
    ['last_year', '2026-01-01', '2025-01-01 2025-12-31'],
  ] as const)
    assert.is(spanOf(id, day), span, `${id} on ${day}`)
  for (const [id, day, weekStart, span] of [
    ['week', '2026-03-09', 7, '2026-03-08 2026-03-09'],
    ['week', '2026-03-14', 7, '2026-03-08 2026-03-14'],
    ['week', '2026-03-15', 7, '2026-03-15 2026-03-15'],
    ['last_week', '2026-03-15', 7, '2026-03-08 2026-03-14'],
    ['week', '2026-03-13', 6, '2026-03-07 2026-03-13'],
    ['last_week', '2026-03-14', 6, '2026-03-07 2026-03-13'],
  ] as const)
    assert.is(spanOf(id, day, weekStart), span, `${id} on ${day}, weeks from ${weekStart}`)
})

test('the last 24 hours end with the present one', () => {
  const spanAt = (hour: number) =>
    presets.find(({ id }) => id === '24h')?.span({ today: '2026-03-10', weekStart: 1, hour, first: '2026-01-01' })
  assert.equal(spanAt(15), { from: '2026-03-09', to: '2026-03-10', from_hour: 16 })
  assert.equal(spanAt(0), { from: '2026-03-09', to: '2026-03-10', from_hour: 1 })
  assert.equal(spanAt(23), { from: '2026-03-10', to: '2026-03-10' })
  assert.equal(
    step({ from: '2026-03-09', to: '2026-03-10', from_hour: 16 }, -1, { today: '2026-03-10', weekStart: 1 }),
    {
      from: '2026-03-09',
      to: '2026-03-09',
    },
  )
})

test('a step never leads into the future', () => {
  check(
    fc.property(fc.nat(800), fc.nat(800), fc.constantFrom(1 as const, -1 as const), (ago, length, direction) => {
      const to = addDays(today, -ago)
      const span = { from: addDays(to, -length), to }
      const next = step(span, direction, now)
      assert.ok(next.from <= next.to && next.to <= today, JSON.stringify(next))
    }),
  )
})

test('a step back leads to what the comparison names, whole', () => {
  const now = { today: '2026-11-26', weekStart: 1 }
  for (const [id, other, back] of [
    ['week', '2026-11-16 2026-11-19', '2026-11-16 2026-11-22'],
    ['month', '2026-10-01 2026-10-26', '2026-10-01 2026-10-31'],
    ['quarter', '2026-07-01 2026-08-26', '2026-07-01 2026-09-30'],
    ['year', '2025-01-01 2025-11-26', '2025-01-01 2025-12-31'],
    ['last_week', '2026-11-09 2026-11-15', '2026-11-09 2026-11-15'],
    ['last_month', '2026-09-01 2026-09-30', '2026-09-01 2026-09-30'],
    ['last_quarter', '2026-04-01 2026-06-30', '2026-04-01 2026-06-30'],
    ['28d', '2026-10-02 2026-10-29', '2026-10-02 2026-10-29'],
    ['91d', '2026-05-29 2026-08-27', '2026-05-29 2026-08-27'],
    ['today', '2026-11-25 2026-11-25', '2026-11-25 2026-11-25'],
  ] as const) {
    const span = presets.find(one => one.id === id)?.span({ ...now, hour: 10, first: '2020-01-01' })
    assert.ok(span)
    const [named, step1] = [compared(span, 'previous', now), step(span, -1, now)]
    assert.is(`${named.from} ${named.to}`, other, `${id} is compared with`)
    assert.is(`${step1.from} ${step1.to}`, back, `${id} steps back to`)
    if (id.startsWith('last')) assert.equal(step(step1, 1, now), span, `${id} and on again`)
  }
})

test('hours are paired by the clock where it changes', () => {
  const zone = 'Europe/Berlin'
  const { hourOf } = createZone(zone)
  /** The hours of a day, by the time of their first one in UTC. */
  const hours = (first: string, count: number) =>
    Array.from({ length: count }, (_, hour) => ({
      time: new Date(Date.parse(first) + hour * 3_600_000).toISOString(),
      value: hour,
    }))
  const [usual, long, short] = [
    hours('2026-10-23T22:00:00Z', 24),
    hours('2026-10-24T22:00:00Z', 25),
    hours('2026-03-28T23:00:00Z', 23),
  ]
  const clocks = (series: typeof usual, old: typeof usual): string[] =>
    pairPoints(series, old, zone).map((point, index) =>
      [series[index], point]
        .map(one => (one?.time === undefined ? '-' : hourOf(Date.parse(one.time) / 1000)))
        .join('='),
    )
  const all = Array.from({ length: 24 }, (_, hour) => `${hour}=${hour}`)
  assert.equal(clocks(long, usual), [...all.slice(0, 3), '2=-', ...all.slice(3)])
  assert.equal(clocks(usual, long), all, 'the hour that comes twice is compared with its first time')
  assert.equal(clocks(short, hours('2026-03-27T23:00:00Z', 24)), [...all.slice(0, 2), ...all.slice(3)])
  assert.equal(clocks(hours('2026-03-29T22:00:00Z', 24), short), [...all.slice(0, 2), '2=-', ...all.slice(3)])
  const [two, one] = [hours('2026-03-24T23:00:00Z', 48), hours('2026-03-26T23:00:00Z', 24)]
  assert.is(pairPoints(one, two, zone).length, 48, 'days that only the other range has follow')
})

test('figures of ranges of different lengths differ by day', () => {
  assert.equal(aDay({ now: 62, before: 30 }, [31, 30]), { now: 2, before: 1, change: 1 })
  assert.is(aDay({ now: 4, before: 0 }, [4, 3]).change, null)
})

test.run()
