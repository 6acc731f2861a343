// Keys that a stranger has chosen to be alike are spread over a table as any others.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mix, randomSeeds, spread } from '../../src/collection/store/spread.ts'

const windows = 64
const each = 100
const word = (n: number): number => createHash('sha256').update(String(n)).digest().readUInt32LE()

/** How many of the keys fall into each 64th of the places. */
const counts = (keys: readonly (readonly [number, number])[]): number[] => {
  const seeds = randomSeeds()
  const found = Array.from({ length: windows }, () => 0)
  for (const [first, second] of keys) {
    const window = Math.floor((spread(seeds, first, second) / 2 ** 32) * windows)
    found[window] = (found[window] ?? 0) + 1
  }
  return found
}

const fixed = fc.record({ word: fc.constantFrom(0, 1), bits: fc.integer({ min: 4, max: 16 }), low: fc.boolean() })

test('bits that are alike in one word do not bring keys together', () =>
  fc.assert(
    fc.property(fixed, ({ word: which, bits, low }) => {
      const keys = Array.from({ length: windows * each }, (_, n): [number, number] => {
        const words: [number, number] = [word(2 * n), word(2 * n + 1)]
        words[which] = low ? ((words[which] >>> bits) << bits) >>> 0 : words[which] >>> bits
        return words
      })
      // Seven standard deviations each way.
      for (const count of counts(keys)) assert.ok(Math.abs(count - each) < 70, `${count}, not some ${each}`)
    }),
    { numRuns: 40 },
  ))

test('keys in a row are spread as well', () => {
  const rows = [
    (n: number): [number, number] => [n, 0],
    (n: number): [number, number] => [0, n],
    (n: number): [number, number] => [n, n],
  ]
  for (const row of rows) {
    for (const count of counts(Array.from({ length: windows * each }, (_, n) => row(n))))
      assert.ok(Math.abs(count - each) < 70, `${count}, not some ${each}`)
  }
})

test('no two numbers are mixed to the same one', () => {
  const mixed = new Set(Array.from({ length: 200_000 }, (_, n) => mix(n * 20_011)))
  assert.is(mixed.size, 200_000)
  for (const one of [...mixed].slice(0, 1000)) assert.ok(Number.isInteger(one) && one >= 0 && one < 2 ** 32)
})

test.run()
