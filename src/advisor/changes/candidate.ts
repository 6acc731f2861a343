// What may be said about a range, before the few that matter most are chosen.
import { literalValue, writeValue } from '../../reports/filters/syntax.ts'
import type { Range } from '../../reports/range.ts'
import type { Filters } from '../filters.ts'
import type { Values } from '../language.ts'
import type { ReportReader } from '../report-runner.ts'

/** Visitors of an unusual day, visits of a source or country, views of a page, or revenue of a campaign. */
export type ChangeKind = 'day' | 'source' | 'page' | 'country' | 'campaign'

/** `filters` show what changed, besides those of the page. */
export type Change = {
  kind: ChangeKind
  text: string
  current: number
  previous: number
  from: string
  to: string
  filters: Filters
}

/** A change with its distance from what chance explains, in standard errors. */
export type Candidate = Omit<Change, 'text'> & { values: Values; weight: number }

/** How the reports of a batch are read. */
export type Reader = ReportReader & {
  range: Range
  compare: string
  /** How many times as long the range is as the one compared with. */
  times: number
}

/** Differences of fewer are nothing to speak of, even on small sites. */
export const minDifference = 10

/**
 * How far apart two counts are, in standard errors of their difference.
 * @param times how many times as long the time of `a` is
 */
export const distance = (a: number, b: number, times = 1): number =>
  Math.abs(a - b * times) / Math.sqrt(Math.max(1, (a + b) * times))

/** A value that stands for itself in a filter. */
export const valueText = (value: string): string => writeValue(literalValue(value))
