// Event values beyond the limit, which older versions stored: the event counts without its value. Sums that hold such
// values are recalculated from the day's events; a day without events counts those that overflowed as 0.
import * as v from 'valibot'
import { type Db, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { breakPeriods } from '../../rollup/periods.ts'
import type { Span } from '../../rollup/tables.ts'
import sqlText from '../../sql/left-out-values.sql'

const sql = statements(sqlText)

const names = v.string()
const recountQuery = query(
  sql('archive.value-sum.recount'),
  v.object({ names, first_view_id: v.number(), next_view_id: v.number() }),
)
const correctQuery = query(
  sql('archive.value-sum.correct'),
  v.object({ names, day: v.number(), recounted: v.number() }),
)

const maxSum = 1e24

export type LeftOutValues = {
  /** Notes an event of this name whose value is left out. */
  value: (name: number) => void
  /** A line of event sums with a finite sum of values. */
  checkSum: (line: Record<string, unknown>, name: number | undefined) => Record<string, unknown>
  /**
   * Corrects the day's sums of values, imported and stored.
   * @param hasEvents whether the day was imported with its events
   */
  correct: (span: Span, hasEvents: boolean) => void
  /** Begins a day. */
  reset: () => void
  /** The number of values and sums left out of the day. */
  count: () => number
}

export const createLeftOutValues = (db: Db): LeftOutValues => {
  const doubtful = new Set<number>()
  let count = 0

  return {
    value: name => {
      doubtful.add(name)
      count += 1
    },
    checkSum: (line, name) => {
      const { value_sum: sum } = line
      if (typeof sum === 'number' && Math.abs(sum) < maxSum) return line
      if (name !== undefined && !doubtful.has(name)) {
        doubtful.add(name)
        count += 1
      }
      return { ...line, value_sum: 0 }
    },
    correct: ({ day, first_view_id, next_view_id }, hasEvents) => {
      if (doubtful.size === 0) return
      const names = JSON.stringify([...doubtful])
      if (hasEvents) run(db, recountQuery, { names, first_view_id, next_view_id })
      if (run(db, correctQuery, { names, day, recounted: hasEvents ? 1 : 0 }) > 0) breakPeriods(db, day)
    },
    reset: () => {
      doubtful.clear()
      count = 0
    },
    count: () => count,
  }
}
