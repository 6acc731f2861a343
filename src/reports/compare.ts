import * as v from 'valibot'
import { rangeBefore, rangeYearBefore, type Range } from './range.ts'

export const compareSchema = v.optional(
  v.pipe(
    v.picklist(['previous', 'year']),
    v.description('Compares with the equally long window directly before, or with the same dates one year before.'),
  ),
)

export const otherRange = (range: Range, compare: 'previous' | 'year'): Range =>
  compare === 'year' ? rangeYearBefore(range) : rangeBefore(range)
