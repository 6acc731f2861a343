// From which day on a goal is known, and the sessions since.
import type { Day } from '../../lib/time.ts'
import { bindTotals } from '../breakdown.ts'
import type { Read } from '../pool.ts'
import type { Range } from '../range.ts'

/** The first day of a range of which a goal is known. */
export const startIn = (range: Range, from: Day | null): Day => Math.max(range.from, from ?? 0)

/** All sessions from each of some days to the end of the range. */
export const sessionsSince = async (read: Read, range: Range, days: readonly Day[]): Promise<Map<Day, number>> => {
  const starts = [...new Set(days)].filter(day => day <= range.to)
  const totals = await read(starts.map(from => bindTotals({ from, to: range.to })))
  return new Map(starts.map((day, index) => [day, totals[index]?.[0]?.sessions ?? 0]))
}
