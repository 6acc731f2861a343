import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compared } from '../../src/advisor/compare.ts'

type Row = { page: string; views: number }
const a: Row = { page: '/a', views: 6 }
const b: Row = { page: '/b', views: 4 }

const pagesOf = (now: { data: Row[]; total: number }, then: { data: Row[]; total: number }) =>
  compared(
    now,
    then,
    ({ page }) => page,
    ({ views }) => views,
  ).map(({ row, current, previous }) => [row.page, current, previous])

test('a row that one of two whole lists does not have counts 0 there', () => {
  assert.equal(pagesOf({ data: [a], total: 1 }, { data: [b], total: 1 }), [
    ['/a', 6, 0],
    ['/b', 0, 4],
  ])
})

test('a row that a list does not show because it was cut off is unknown, and left out', () => {
  assert.equal(pagesOf({ data: [a, b], total: 2 }, { data: [{ ...a, views: 9 }], total: 2 }), [['/a', 6, 9]])
  assert.equal(pagesOf({ data: [a], total: 2 }, { data: [a, b], total: 2 }), [['/a', 6, 6]])
})

test.run()
