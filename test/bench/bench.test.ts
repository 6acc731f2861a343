// The pure parts of the benchmark. Nothing here is timed.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addStatuses, failureOf, median, paired, percentile } from './statistics.mjs'
import { withFigures } from './summary.mjs'
import { goalText, quantity, table, verdict } from './table.mjs'
import { createHits, createMixed, createPicker, createRandom, createRequests } from './traffic.mjs'

test('docs/performance.md shows the figures of docs/benchmark.md', () => {
  const [performance, benchmark] = ['performance', 'benchmark'].map(name => readFileSync(`docs/${name}.md`, 'utf8'))
  assert.is(withFigures(performance ?? '', benchmark ?? ''), performance)
  const rows = (performance ?? '').match(/^\| .+ \| [\d,.]+(?: ms| MiB|\/s| bytes)? \|/gm) ?? []
  assert.ok(rows.length > 20, `${rows.length} rows`)
})

test('docs/beyond.md counts on with the figures of docs/benchmark.md', () => {
  const [beyond = '', benchmark = ''] = ['beyond', 'benchmark'].map(name => readFileSync(`docs/${name}.md`, 'utf8'))
  const found = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]?.replaceAll(',', ''))
  const measured = (row: string): number => found(benchmark, new RegExp(`^\\| ${row} +\\| ([\\d,.]+)`, 'm'))
  const [rate, bytes] = ['durable hits, 64 connections: answered with 204', 'database bytes per view, a year'].map(
    measured,
  )
  assert.is(found(beyond, /takes ([\d,]+) hits per second/), Number(rate?.toPrecision(2)))
  assert.is(found(beyond, /at (\d+) bytes a page view/), Number(bytes?.toPrecision(2)))
  const megabytes = Number(((bytes ?? 0) * 10).toPrecision(2))
  assert.is(found(beyond, /^\| 10 M, .* \| (\d+) MB/m), megabytes)
  assert.is(found(beyond, /^\| 100 M, .* \| ([\d.]+) GB/m), megabytes / 100)
  assert.is(found(beyond, /^\| 1,000 M, .* \| (\d+) GB/m), megabytes / 10)
  assert.is(found(beyond, /whole day, is (\d+) million/), Math.round((Number(rate?.toPrecision(2)) / 10) * 0.0864))
  // What was measured at 10 M a year is of 90 days.
  const perMillion = found(beyond, /^\| 10 M, .* \| (\d+) ms/m) / (10 * (90 / 365))
  assert.is(found(beyond, /a second at about (\d+) million/), Number((1000 / perMillion).toPrecision(1)))
})

test('median: the middle one, or the mean of the two in the middle', () => {
  assert.is(median([3, 1, 2]), 2)
  assert.is(median([10, 9, 1, 2]), 5.5)
  assert.is(median([7]), 7)
  assert.ok(Number.isNaN(median([])))
})

test('percentile: the nearest rank, always one of the samples, ordered as numbers', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  assert.is(percentile(hundred, 0.5), 50)
  assert.is(percentile(hundred, 0.99), 99)
  assert.is(percentile(hundred, 1), 100)
  assert.is(percentile(hundred, 0), 1)
  assert.is(percentile([100, 9], 0.99), 100)
  assert.ok(Number.isNaN(percentile([], 0.5)))
})

test('paired: the median of the ratios of the rounds, not the ratio of the medians', () => {
  const { value, limit, ratio, range, rounds } = paired([50, 10, 40], [100, 40, 100])
  assert.equal([value, limit, ratio, range], [40, 100, 0.4, [0.25, 0.5]])
  assert.equal(rounds, [
    [50, 100],
    [10, 40],
    [40, 100],
  ])
  // A machine that is three times slower in one round changes the medians, but no ratio.
  assert.is(paired([30, 10, 30, 10], [60, 20, 60, 20]).ratio, 0.5)
})

test('a load complains of every answer that was not the expected one', () => {
  const good = { statuses: { 204: 10 }, errors: 0 }
  assert.is(failureOf([good, good], 204), null)
  assert.equal(addStatuses([good, { statuses: { 204: 1, 503: 2 }, errors: 0 }]), { 204: 11, 503: 2 })
  assert.is(
    failureOf([good, { statuses: { 503: 2 }, errors: 1 }], 204),
    'not every answer was 204: 2 × 503, 1 × no answer',
  )
  assert.is(failureOf([{ statuses: {}, errors: 0 }], 204), 'not every answer was 204: no 204 at all')
  for (const p50 of [Number.NaN, null])
    assert.match(failureOf([good, { ...good, p50 }], 204) ?? '', /no answer came in the time of a round/)
})

test('quantities', () => {
  const cases: [value: number | undefined, unit: string, expected: string][] = [
    [12_345.6, '/s', '12,346/s'],
    [1.234, 'ms', '1.23 ms'],
    [23.45, 'ms', '23.4 ms'],
    [113.06, 'MiB', '113 MiB'],
    [0, '', '0'],
    [1447, 'bytes', '1,447 bytes'],
    [0.004, 'ms', '0.00 ms'],
    [undefined, 'ms', '–'],
    [Number.NaN, 'ms', '–'],
  ]
  for (const [value, unit, expected] of cases) assert.is(quantity(value, unit), expected)
})

test('goals and whether they are met', () => {
  const ratio = { ratio: 0.5, floor: 0.35 }
  const max = { max: 25 }
  assert.is(goalText(ratio, '/s'), '≥ 0.50 (floor 0.35)')
  assert.is(goalText(max, 'ms'), '≤ 25 ms')
  assert.is(goalText({ max: 1500, floor: 2000 }, 'bytes'), '≤ 1,500 bytes (floor 2,000 bytes)')
  assert.is(goalText({ max: 3, at: { amount: 10_000_000, of: 'views' } }, 'ms'), '≤ 3 ms at 10 M views')
  assert.is(goalText({ min: 30_000 }, '/s'), '≥ 30,000/s')
  assert.equal(
    [30_000, 29_999].map(value => verdict({ value }, { min: 30_000 })),
    ['yes', 'no'],
  )
  assert.is(goalText(undefined, 'ms'), '–')
  assert.equal(
    [0.5, 0.49, 0.35, 0.34].map(value => verdict({ value: 1, ratio: value }, ratio)),
    ['yes', 'floor', 'floor', 'no'],
  )
  assert.equal(
    [25, 25.1].map(value => verdict({ value }, max)),
    ['yes', 'no'],
  )
  assert.equal(
    [1500, 2000, 2001].map(value => verdict({ value }, { max: 1500, floor: 2000 })),
    ['yes', 'floor', 'no'],
  )
  assert.is(verdict({ value: 1 }, undefined), '–')
  assert.is(verdict({ value: 1, failed: '3 × 503' }, max), 'no')
  assert.is(verdict({ failed: 'it did not start' }, undefined), 'no')
})

test('a goal for so much data is met or missed only with that much', () => {
  const goal = { max: 3, at: { amount: 10_000_000, of: 'views' } }
  assert.equal(
    [undefined, 1_000_000, 10_000_000].map(amount => verdict({ value: 1, amount }, goal)),
    ['–', '–', 'yes'],
  )
  assert.is(verdict({ value: 4, amount: 10_000_000 }, goal), 'no')
  assert.is(verdict({ value: 1, failed: '3 × 503' }, goal), 'no')
})

test('the table is Markdown, one line a figure', () => {
  const rows = [
    {
      figure: 'hits',
      unit: '/s',
      value: 20_000,
      limit: 50_000,
      limitIs: 'bare node:http',
      ratio: 0.4,
      range: [0.35, 0.45] as [number, number],
      goal: { ratio: 0.5, floor: 0.35 },
    },
    { figure: 'p99', unit: 'ms', failed: 'not every answer was 204: 2 × 503', goal: { max: 25 } },
    { figure: 'a|b', unit: '', value: 0 },
  ]
  const lines = table(rows)
    .split('\n')
    .map(line => line.replace(/ +/g, ' '))
  assert.is(lines.length, 5)
  assert.is(lines[0], '| figure | value | limit in the same run | ratio | goal | met |')
  assert.match(lines[1] ?? '', /^(\|-+){6}\|$/)
  assert.is(
    lines[2],
    '| hits | 20,000/s | 50,000/s (bare node:http) | 0.40 [0.35–0.45] | ≥ 0.50 (floor 0.35) | floor |',
  )
  assert.is(lines[3], '| p99 | failed: not every answer was 204: 2 × 503 | – | – | ≤ 25 ms | no |')
  assert.is(lines[4], '| a\\|b | 0 | – | – | – | – |')
})

const hitsOf = (count: number, seed = 1, age = 0): string[] => {
  const next = createHits({ host: '127.0.0.1:8787', path: '/analytics/v1/hit', seed, ids: 77, age })
  return Array.from({ length: count }, next)
}
const bodyOf = (hit: string): Record<string, unknown> => JSON.parse(hit.slice(hit.indexOf('\r\n\r\n') + 4))

test('a hit is a whole request, with a body of the length it says', () => {
  for (const hit of hitsOf(500, 1, 3600)) {
    const [head = '', body = ''] = hit.split('\r\n\r\n')
    assert.is(Number(head.match(/^Content-Length: (\d+)$/m)?.[1]), Buffer.byteLength(body))
    assert.match(head, /^POST \/analytics\/v1\/hit HTTP\/1\.1\r\nHost: 127\.0\.0\.1:8787\r\n/)
    const { age, pvid } = bodyOf(hit)
    assert.type(age, 'number')
    assert.match(String(pvid), /^[a-z0-9_]{21}$/)
  }
})

test('views have ids of their own, visitors their own addresses, and pages a few favourites', () => {
  const hits = hitsOf(3000)
  assert.is(new Set(hits.map(hit => bodyOf(hit).pvid)).size, 3000)
  const addresses = hits.map(hit => hit.match(/X-Forwarded-For: (\S+)/)?.[1])
  assert.ok(new Set(addresses).size > 1500)
  const most = Math.max(
    ...Object.values(Object.groupBy(addresses, address => address ?? '')).map(same => same?.length ?? 0),
  )
  assert.ok(most < 60, `${most} hits from one address would be throttled`)
  const first = hits.filter(hit => bodyOf(hit).page_url === 'https://shop.example/product/0').length
  assert.ok(first > 300 && first < 700, `${first} views of the most viewed page`)
})

test('the same seed makes the same hits, another one others', () => {
  assert.equal(hitsOf(20), hitsOf(20))
  assert.not.equal(hitsOf(20), hitsOf(20, 2))
  const numbers = Array.from({ length: 1000 }, createRandom(7))
  assert.ok(numbers.every(number => number >= 0 && number < 1))
  assert.is(new Set(numbers).size, 1000)
})

test('a picker picks by weight, and never what weighs nothing', () => {
  const picks = Array.from({ length: 4000 }, createPicker([1, 0, 3], createRandom(1)))
  const count = (index: number): number => picks.filter(pick => pick === index).length
  assert.is(count(1), 0)
  assert.ok(count(2) > 2800 && count(2) < 3200, String(count(2)))
})

test('asks go through their paths in turn, and send a body by POST', () => {
  const next = createRequests({ host: 'h', paths: ['/a', '/b'], headers: { Authorization: 'Basic x' } })
  assert.is(next(), 'GET /a HTTP/1.1\r\nHost: h\r\nAuthorization: Basic x\r\n\r\n')
  assert.match(next(), /^GET \/b /)
  assert.match(next(), /^GET \/a /)
  assert.is(
    createRequests({ host: 'h', paths: ['/a'], body: '"é"' })(),
    'POST /a HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n"é"',
  )
})

test('mixed traffic: updates and events of views whose hits went before, from the same visitor', () => {
  const next = createMixed({ host: 'h', base: '/analytics/v1', seed: 1, ids: 77 })
  const hits = new Map<unknown, { at: number; agent: string | undefined }>()
  const counts: Record<string, number> = {}
  const agentOf = (request: string) => request.match(/^User-Agent: .+\r\n.*^X-Forwarded-For: \S+/ms)?.[0]
  for (let at = 0; at < 20_000; at++) {
    const request = next()
    const [head = '', body = ''] = request.split('\r\n\r\n')
    const kind = head.match(/^POST \/analytics\/v1\/(\w+) /)?.[1] ?? ''
    assert.is(Number(head.match(/^Content-Length: (\d+)$/m)?.[1]), Buffer.byteLength(body))
    counts[kind] = (counts[kind] ?? 0) + 1
    const { pvid } = bodyOf(request)
    if (kind === 'hit') {
      hits.set(pvid, { at, agent: agentOf(head) })
      continue
    }
    const hit = hits.get(pvid)
    assert.ok(hit !== undefined && at - hit.at >= 1000, `${kind} too soon after its hit`)
    assert.is(agentOf(head), hit?.agent)
  }
  assert.is(next.hits(), counts.hit)
  const { hit = 0, engagement = 0, event = 0 } = counts
  assert.ok(engagement / hit > 0.6 && engagement / hit < 0.75, `${engagement} updates of ${hit} views`)
  assert.ok(event / hit > 0.03 && event / hit < 0.07, `${event} events of ${hit} views`)
})

test.run()
