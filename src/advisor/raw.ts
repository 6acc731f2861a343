import { addDays, type Day, dayText } from '../lib/time.ts'
import type { Range } from '../reports/range.ts'
import { rawDays } from '../reports/raw.ts'
import type { QuestionContext } from './question.ts'

/** The part of a range for which raw rows are kept; null if all of it is purged. */
export const keptOf = ({ from, to }: Range, first: Day): Range | null =>
  to < first ? null : { from: Math.max(from, first), to }

/** The last 90 days of that part. */
export const rawOf = (range: Range, first: Day): Range | null => {
  const kept = keptOf(range, first)
  return kept === null ? null : { from: Math.max(kept.from, addDays(kept.to, 1 - rawDays)), to: kept.to }
}

/** The range as query parameters; only its last day if it has no raw rows, because a filter needs them. */
export const rawQuery = (
  { range: { to } }: Pick<QuestionContext, 'range'>,
  range: Range | null,
): { from: string; to: string } => ({
  from: dayText(range?.from ?? to),
  to: dayText(to),
})

/** Summary values: the first day counted, and whether it is later than the start of the range. */
export const sinceOf = ({ range: { from } }: Pick<QuestionContext, 'range'>, range: Range | null) => ({
  cut: String(range !== null && range.from > from),
  since: { date: dayText(range?.from ?? from) },
})
