// Answers as text for a language model: how many rows they show of several tables.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { maxRows, reportText } from '../../src/mcp/answer-text.ts'

const rows = (name: string, count: number) => Array.from({ length: count }, (_, row) => ({ [name]: `${name}${row}` }))
const shownOf = (text: string, name: string): number => text.match(new RegExp(`^${name}\\d+$`, 'gm'))?.length ?? 0

for (const [first, second, shown, left] of [
  [0, 0, [0, 0], 0],
  [24, 1, [24, 1], 0],
  [24, 2, [24, 1], 1],
  [25, 0, [25, 0], 0],
  [25, 1, [25, 0], 1],
  [26, 0, [25, 0], 1],
  [26, 3, [25, 0], 4],
  [20, 20, [20, 5], 15],
  [3, 40, [3, 22], 18],
] as const) {
  const more = left === 0 ? '' : `truncated: ${left} more ${left === 1 ? 'row is' : 'rows are'} in structuredContent`
  const hold = (text: string): void => {
    assert.equal([shownOf(text, 'left'), shownOf(text, 'right')], shown)
    assert.is(text.includes('in structuredContent'), left > 0)
    assert.ok(text.includes(more), text)
  }

  test(`a report with tables of ${first} and ${second} rows shows ${maxRows} in all, and says how many more there are`, () =>
    hold(reportText('Tables', { data: { one: rows('left', first), two: rows('right', second) }, meta: {} }, null)))
}

test.run()
