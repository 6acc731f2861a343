import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { byDifference, compared } from '../../src/advisor/compare.ts'

type Row = { page: string; views: number }
const a: Row = { page: '/a', views: 6 }
const b: Row = { page: '/b', views: 4 }

const joined = (data: Row[], earlier: Row[] | null) =>
  compared(
    { data, earlier },
    ({ page }) => page,
    ({ views }) => views,
  )
const pagesOf = (rows: ReturnType<typeof joined>) =>
  rows.map(({ row, current, previous }) => [row.page, current, previous])

test('a row that one of two ranges does not have counts 0 there', () => {
  assert.equal(pagesOf(joined([a], [b])), [
    ['/a', 6, 0],
    ['/b', 0, 4],
  ])
  assert.equal(pagesOf(joined([a], null)), [['/a', 6, 0]])
})

test('the largest difference comes first, and what chance explains last', () => {
  const views = (page: string, count: number): Row => ({ page, views: count })
  const rows = joined(
    [views('/busy', 1000), views('/new', 12), views('/gone', 0), views('/level', 5)],
    [views('/busy', 1040), views('/gone', 30), views('/level', 5)],
  )
  assert.equal(
    byDifference(rows).map(({ row, chance }) => [row.page, chance]),
    [
      ['/gone', false],
      ['/new', false],
      ['/busy', true],
    ],
  )
})

test.run()
