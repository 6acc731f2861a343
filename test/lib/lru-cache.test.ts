// Recently used values stay cached, and memory stays bounded.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { copyString, createLruCache, memoize } from '../../src/lib/lru-cache.ts'
import { check } from '../support/property.ts'

const step = fc.record({ kind: fc.constantFrom('get', 'set', 'delete', 'clear'), key: fc.nat(9), value: fc.nat() })

test('never returns a wrong value, and always has the most recently used keys', () =>
  check(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 200, size: 'max' }), (size, steps) => {
      const memo = createLruCache<number, number>(size)
      const truth = new Map<number, number>()
      /** Keys in the order of their last use, also those that were deleted since. */
      const uses = new Set<number>()
      const use = (key: number): void => {
        uses.delete(key)
        uses.add(key)
      }
      for (const { kind, key, value } of steps) {
        if (kind === 'get') {
          const found = memo.get(key)
          if (found !== undefined || [...uses].slice(-size).includes(key)) assert.is(found, truth.get(key))
          if (found !== undefined) use(key)
        } else if (kind === 'set') {
          memo.set(key, value)
          truth.set(key, value)
          use(key)
        } else if (kind === 'delete') {
          memo.delete(key)
          truth.delete(key)
        } else if (value % 20 === 0) {
          memo.clear()
          truth.clear()
        }
      }
    }),
    { numRuns: 500 },
  ))

test('keeps at most twice its size', () =>
  check(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(1000)), (size, keys) => {
      const memo = createLruCache<number, true>(size)
      for (const key of keys) memo.set(key, true)
      assert.ok([...new Set(keys)].filter(key => memo.get(key) !== undefined).length <= 2 * size)
    }),
  ))

test('computes a value once while it is used, but each time for a very long text', () => {
  let runs = 0
  const length = memoize(3, text => {
    runs += 1
    return text.length
  })
  for (const text of ['a', 'bb', 'a', 'bb', 'a']) assert.is(length(text), text.length)
  assert.is(runs, 2)
  const long = 'x'.repeat(513)
  assert.equal([length(long), length(long), runs], [513, 513, 4])
})

test('a copied string is equal', () =>
  check(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', 'é', '日本'), (text, more) => {
      assert.is(copyString(text + more), text + more)
    }),
  ))

test.run()
