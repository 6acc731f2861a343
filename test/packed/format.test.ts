// The columns of packed days at the bounds of their widths.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  eventColumns,
  otherDayEventColumns,
  otherDayViewColumns,
  packColumns,
  sessionColumns,
  unpackColumns,
  viewColumns,
} from '../../src/packed/format.ts'

const bounds = [0, 1, 255, 256, 511, 512, 65_535, 65_536, 131_071, 131_072, 2 ** 32 - 1]

/** Each column of a part holds other numbers of the same width, so that none is taken for another. */
const partOf = <Name extends string>(names: readonly Name[], largest: number): Record<Name, number[]> =>
  Object.fromEntries(names.map((name, at) => [name, [largest, Math.max(0, largest - at), 0, 1]])) as Record<
    Name,
    number[]
  >

for (const largest of bounds)
  test(`a column whose largest number is ${largest} is read as it was written`, () => {
    const day = {
      visitors: largest,
      sessions: partOf(sessionColumns, largest),
      views: partOf(viewColumns, largest),
      otherDayViews: partOf(otherDayViewColumns, largest),
      events: partOf(eventColumns, largest),
      otherDayEvents: partOf(otherDayEventColumns, largest),
    }
    const blob = packColumns(day)
    // As the database hands it out: anywhere in memory.
    for (const shift of [0, 1, 4]) {
      const moved = Buffer.alloc(blob.length + shift).subarray(shift)
      blob.copy(moved)
      const read = unpackColumns(moved)
      assert.ok(read)
      assert.is(read.visitors, largest)
      for (const part of ['sessions', 'views', 'otherDayViews', 'events', 'otherDayEvents'] as const) {
        const { count, ...columns } = read[part]
        assert.is(count, 4)
        assert.equal(
          Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, [...values]])),
          day[part],
        )
      }
    }
  })

test('a day with nothing, and what is no packed day', () => {
  const none = (names: readonly string[]): any => Object.fromEntries(names.map(name => [name, []]))
  const blob = packColumns({
    visitors: 0,
    sessions: none(sessionColumns),
    views: none(viewColumns),
    otherDayViews: none(otherDayViewColumns),
    events: none(eventColumns),
    otherDayEvents: none(otherDayEventColumns),
  })
  assert.is(unpackColumns(blob)?.views.count, 0)
  assert.is(unpackColumns(Buffer.alloc(0)), null)
  assert.is(unpackColumns(blob.subarray(0, 27)), null)
  const other = Buffer.from(blob)
  other.writeUInt32LE(other.readUInt32LE(0) - 1, 0)
  assert.is(unpackColumns(other), null)
})

test.run()
