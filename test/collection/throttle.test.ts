// Token buckets per key: refill, bounded memory, and active clients are not evicted.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createRouteThrottles, createThrottle } from '../../src/collection/ingest/clients.ts'
import { check } from '../support/property.ts'

const start = Date.UTC(2026, 0, 1)
const address = (n: number): string => [24, 16, 8, 0].map(bits => (n >>> bits) & 255).join('.')

/** A bucket as the contract has it: how many tokens there are, and when that was. */
const createModel = () => {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return (key: string, burst: number, rate: number, now: number): number => {
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now }
    const left = Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * rate)
    buckets.set(key, { tokens: left >= 1 ? left - 1 : left, at: now })
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / rate))
  }
}

const step = fc.record({
  key: fc.oneof(
    fc.nat(20).map(address),
    fc.nat(20).map(n => `2001:db8:0:${n}::`),
    fc.constantFrom('', 'all', 'é', 'e'),
  ),
  pause: fc.integer({ min: -2000, max: 5000 }),
})

test('a hit of 60 at once and 5 a second', () => {
  const throttle = createThrottle()
  const ask = (at: number): number => throttle('203.0.113.9', { burst: 60, rate: 5 }, start + at)
  assert.equal(
    Array.from({ length: 61 }, () => ask(0)),
    [...Array.from({ length: 60 }, () => 0), 1],
  )
  assert.equal([ask(199), ask(201), ask(201), ask(1200), ask(1200)], [1, 0, 1, 0, 0])
  assert.is(throttle('203.0.113.9', { burst: 60, rate: 0.1 }, start + 1200 + 60_000), 0)
})

test('the clients of a /48 share a bucket of four times the size for hits and events together', () => {
  const record = { burst: 60, rate: 5 }
  const wait = createRouteThrottles({ hit: record, event: record, engagement: { burst: 120, rate: 20 } })
  /** How many of 100 requests of each of ten clients of the network pass. */
  const passed = (route: 'hit' | 'event' | 'engagement', network: string, now: number): number =>
    Array.from({ length: 1000 }, (_, n) => wait(route, `${network}:${n % 10}::1`, now)).filter(seconds => seconds === 0)
      .length
  assert.is(passed('hit', '2001:db8:1', start) + passed('event', '2001:db8:1', start), 240)
  assert.is(passed('hit', '2001:db8:1', start + 1000), 20)
  assert.is(passed('engagement', '2001:db8:1', start), 1000)
  assert.is(passed('hit', '2001:db8:2', start), 240)
  // What one client's own limit refuses is not taken from the others.
  const greedy = Array.from({ length: 500 }, () => wait('hit', '2001:db8:3:1::1', start))
  assert.is(greedy.filter(seconds => seconds === 0).length, 60)
  assert.is(wait('hit', '2001:db8:3:2::1', start), 0)
  assert.is(wait('hit', '192.0.2.1', start), 0)
})

test('the wait is in whole seconds', () => {
  const throttle = createThrottle()
  const ask = (at: number): number => throttle('198.51.100.7', { burst: 1, rate: 0.1 }, start + at)
  assert.equal([ask(0), ask(0), ask(2500), ask(9999), ask(10_010)], [0, 10, 8, 1, 0])
})

test('counts each key separately, whatever the clock does', () =>
  check(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(0.2, 1, 5),
      fc.array(step, { maxLength: 200, size: 'max' }),
      (burst, rate, steps) => {
        const throttle = createThrottle()
        const model = createModel()
        let now = start
        for (const { key, pause } of steps) {
          now += pause
          assert.is(throttle(key, { burst, rate }, now), model(key, burst, rate, now))
        }
      },
    ),
    { numRuns: 300 },
  ))

test('thousands of clients have separate buckets', () => {
  const throttle = createThrottle()
  const keys = Array.from({ length: 8000 }, (_, n) =>
    n % 2 === 0 ? address(0xcb00_7100 + n) : `2001:db8:${n.toString(16)}::`,
  )
  const refused = (now: number): number => keys.filter(key => throttle(key, { burst: 1, rate: 0.001 }, now) > 0).length
  assert.is(refused(start), 0)
  // A few sets are asked for more than they hold.
  assert.ok(refused(start + 1) > 7000)
})

test('an active client is not evicted by any number of others', () => {
  const throttle = createThrottle()
  const limit = { burst: 1, rate: 0.001 }
  let passed = 0
  for (let n = 0; n < 200_000; n++) {
    throttle(address(n), limit, start + n)
    if (n % 500 === 0 && throttle('198.51.100.7', limit, start + n) === 0) passed += 1
  }
  assert.is(passed, 1)
})

test('setting the clock back does not refill buckets', () => {
  const throttle = createThrottle()
  const limit = { burst: 1, rate: 0.001 }
  for (let n = 0; n < 60_000; n++) throttle(address(n), limit, start)
  const late = Array.from({ length: 1000 }, (_, n) => address(0xcb00_0000 + n))
  const passed = (): number => late.filter(key => throttle(key, limit, start - 3_600_000) === 0).length
  assert.is(passed(), 1000)
  // A set or two may be asked for more than it holds.
  assert.ok(passed() < 20)
})

test.run()
