import * as v from 'valibot'
import { rangeBefore, rangeYearBefore, type Range } from './range.ts'

export const compareSchema = v.optional(
  v.pipe(
    v.picklist(['previous', 'year']),
    v.description('Compare with the preceding window of equal length, or with the same dates one year earlier.'),
  ),
)

export const otherRange = (range: Range, compare: 'previous' | 'year'): Range =>
  compare === 'year' ? rangeYearBefore(range) : rangeBefore(range)
