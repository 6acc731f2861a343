// The numbers of the contract on orders: one below each, at it, and one above.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService } from '../support/service.ts'
import { type Document, line, order, shopOf } from '../support/shop.ts'

const x = (length: number): string => 'x'.repeat(length)
/** A decimal of so many characters. */
const long = (length: number): string => `0.${'1'.padEnd(length - 2, '0')}`
const item = (given: Document): Document => ({ line_items: [line(given)] })

const documents: readonly [field: string, Document, isStored: boolean][] = [
  ['id', { id: -1 }, false],
  ['id', { id: 0 }, false],
  ['id', { id: 1 }, true],
  ['id', { id: Number.MAX_SAFE_INTEGER }, true],
  ['id', { id: Number.MAX_SAFE_INTEGER + 1 }, false],
  ['status', { status: '' }, false],
  ['status', { status: x(1) }, true],
  ['status', { status: x(39) }, true],
  ['status', { status: x(40) }, true],
  ['status', { status: x(41) }, false],
  ['currency', { currency: 'AB' }, false],
  ['currency', { currency: 'ABC' }, true],
  ['currency', { currency: 'ABCD' }, true],
  ['currency', { currency: 'ABCDEFGHIJKLMNOP' }, true],
  ['currency', { currency: 'ABCDEFGHIJKLMNOPQ' }, false],
  ['date_created_gmt', { date_created_gmt: '1969-12-31T23:59:59' }, false],
  ['date_created_gmt', { date_created_gmt: '1970-01-01T00:00:00' }, true],
  ['date_created_gmt', { date_created_gmt: '1970-01-01T00:00:01' }, true],
  ['total', { total: long(39) }, true],
  ['total', { total: long(40) }, true],
  ['total', { total: long(41) }, false],
  // With the four digits of the currencies that have the most.
  ['total', { total: '900719925474.0990' }, true],
  ['total', { total: '900719925474.0991' }, true],
  ['total', { total: '900719925474.0992' }, false],
  ['total', { total: '-900719925474.0991' }, true],
  ['total', { total: '-900719925474.0992' }, false],
  ['product_id', item({ product_id: -1 }), false],
  ['product_id', item({ product_id: 0 }), true],
  ['product_id', item({ product_id: Number.MAX_SAFE_INTEGER }), true],
  ['product_id', item({ product_id: Number.MAX_SAFE_INTEGER + 1 }), false],
  // In millionths.
  ['quantity', item({ quantity: '9007199254.740990' }), true],
  ['quantity', item({ quantity: '9007199254.740991' }), true],
  ['quantity', item({ quantity: '9007199254.740992' }), false],
  ['quantity', item({ quantity: 999_999_999.5 }), true],
  ['quantity', item({ quantity: 1e9 }), true],
  ['quantity', item({ quantity: 1e10 }), false],
]

test('ids, statuses, currencies, times, amounts and quantities', () =>
  withService({ start: '2026-04-10T12:00:00Z' }, async running => {
    const { push } = shopOf(running)
    for (const [field, given, isStored] of documents)
      assert.equal(await push(order(given)), [isStored ? 'stored' : 'invalid'], `${field}: ${JSON.stringify(given)}`)
  }))

test('500 orders at once, of which the last hundred that are refused are known', () =>
  withService({ start: '2026-04-10T12:00:00Z' }, async running => {
    const refused = (count: number): Document[] =>
      Array.from({ length: count }, (_, index) => order({ id: index + 1, total: 'much' }))
    const send = (count: number) =>
      running.api('/orders', {
        method: 'POST',
        body: JSON.stringify(refused(count)),
        headers: { 'content-type': 'application/json' },
      })
    for (const [count, status, known] of [
      [99, 200, 99],
      [100, 200, 100],
      [101, 200, 100],
      [499, 200, 100],
      [500, 200, 100],
      [501, 400, 100],
    ] as const) {
      assert.is((await send(count)).status, status, `${count}`)
      assert.is((await running.api('/site')).body.orders_refused.count, known, `${count}`)
    }
  }))

test('rows of a list', () =>
  withService({ start: '2026-04-10T12:00:00Z' }, async ({ api }) => {
    for (const [name, most] of [
      ['products', 100],
      ['coupons', 200],
      ['by-landing', 200],
      ['by-utm', 200],
    ] as const)
      for (const [limit, status] of [
        [0, 400],
        [1, 200],
        [most - 1, 200],
        [most, 200],
        [most + 1, 400],
      ] as const)
        assert.is((await api(`/revenue/${name}?limit=${limit}`)).status, status, `${name} ${limit}`)
  }))

test.run()
