// Numbers by hashes: what was put in is found, and nothing else, however full it gets.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fromBytes, hashOf, toBytes } from '../../src/collection/enrich/hash.ts'
import { createHashIndex } from '../../src/collection/store/hash-index.ts'

const key = hashOf

test('as a Map would', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3000), fc.nat()), { maxLength: 3000 }), entries => {
      const index = createHashIndex()
      const map = new Map<number, number>()
      for (const [name, value] of entries) {
        index.set(key(String(name)), value)
        map.set(name, value)
      }
      for (let name = 0; name <= 3000; name++) assert.is(index.get(key(String(name))), map.get(name))
    }),
    { numRuns: 20 },
  ))

test('keys that differ in one half only are two, and hashes of zeros are keys', () => {
  const index = createHashIndex()
  const keys = ['0000000000000000', '0000000000000001', '0100000000000000', 'ffffffffffffffff'].map(hex =>
    fromBytes(Buffer.from(hex, 'hex')),
  )
  keys.forEach((one, value) => index.set(one, value))
  assert.equal(
    keys.map(one => index.get(one)),
    [0, 1, 2, 3],
  )
  index.clear()
  assert.equal(
    keys.map(one => index.get(one)),
    keys.map(() => undefined),
  )
})

test('a part that is nearly full goes on at its beginning, wherever its keys belong', () => {
  for (let time = 0; time < 50; time++) {
    const index = createHashIndex()
    // 128 parts of 16 to 24 slots: about 13 keys each.
    for (let n = 0; n < 1700; n++) index.set(key(`${time} ${n}`), n)
    for (let n = 0; n < 1700; n++) assert.is(index.get(key(`${time} ${n}`)), n)
    assert.is(index.get(key('none')), undefined)
  }
})

test('numbers of 53 bits come back as they were, after parts have grown many times', () => {
  const index = createHashIndex()
  for (let n = 0; n < 50_000; n++) index.set(key(String(n)), Number.MAX_SAFE_INTEGER - n)
  for (let n = 0; n < 50_000; n++) assert.is(index.get(key(String(n))), Number.MAX_SAFE_INTEGER - n)
  assert.is(index.get(key('none')), undefined)
})

test('a hash is eight bytes as the file keeps them', () => {
  assert.is(toBytes(hashOf('abc')).toString('hex'), 'ba7816bf8f01cfea')
  assert.is(fromBytes(toBytes(hashOf('abc'))), hashOf('abc'))
  assert.is(hashOf(Buffer.from('abc')), hashOf('abc'))
})

test.run()
