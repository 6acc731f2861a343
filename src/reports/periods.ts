import { addDays, eachDay } from '../time.ts'
import type { Range } from './range.ts'

/**
 * The range as few periods as possible, for rollups that know days (20260314) and months (202603): months that lie in it
 * as a whole, and single days before and after them.
 */
export const periodsOf = ({ from, to }: Range): number[] => {
  const isMonth = (day: number): boolean => {
    const first = day - day % 100 + 1
    const next = addDays(first, 31)
    return first >= from && addDays(next - next % 100 + 1, -1) <= to
  }
  return [...new Set(eachDay(from, to).map(day => isMonth(day) ? Math.floor(day / 100) : day))]
}
