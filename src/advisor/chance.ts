// Whether chance explains a difference, by the usual tests at the 5 % level. Visitors, visits and orders are counted as
// independent of each other.
import type { Figure } from './figures.ts'

/** A figure in the range and in the one compared with; `previous` is undefined without comparison. */
export type Trend = {
  current: number | null
  previous: number | null | undefined
  change: number | null | undefined
  /** Whether chance explains the difference. */
  chance: boolean
  /** The figure before as a sentence has it, if it is no count. */
  before?: Figure | undefined
}

/** Figures this near are about the same. */
const near = 0.1

/** What to call a difference that chance explains: `few` if so few cases would let it happen, though it is large. */
export const chanceKind = (current: number, previous: number): 'about' | 'few' =>
  Math.abs(current - previous) <= near * Math.max(current, previous) ? 'about' : 'few'

/** Differences within this many standard errors are chance (p > 0.05, two-sided). */
const maxErrors = 1.96

/**
 * Compares two counts of equally long times, or of two parts of one whole: one of them is binomial given their sum
 * (Poisson rate test; normal approximation with continuity correction).
 * @param times how many times as long the time of `a` is
 */
export const sameCounts = (a: number, b: number, times = 1): boolean =>
  Math.abs(a - b * times) - 1 <= maxErrors * Math.sqrt((a + b) * times)

/** How far chance takes a count from the mean of so many others (Poisson). */
export const chanceOf = (mean: number, days: number): number => maxErrors * Math.sqrt(mean + mean / days)

/** Compares two shares: x of n visits (two-proportion z-test, pooled, with continuity correction). */
export const sameShares = (x: number, n: number, y: number, m: number): boolean => {
  if (n === 0 || m === 0) return true
  const [p, weight] = [(x + y) / (n + m), 1 / n + 1 / m]
  return Math.abs(x / n - y / m) - weight / 2 <= maxErrors * Math.sqrt(p * (1 - p) * weight)
}

/** Compares a share, x of n visits, with a fixed one (one-proportion z-test with continuity correction). */
export const sameAsShare = (x: number, n: number, share: number): boolean =>
  n === 0 || Math.abs(x - n * share) - 0.5 <= maxErrors * Math.sqrt(n * share * (1 - share))

/**
 * Compares two means of n and m values, whose spread is unknown: durations, pages per visit and order values spread
 * about as widely as their mean (z-test).
 */
export const sameMeans = (a: number, n: number, b: number, m: number): boolean =>
  n === 0 || m === 0 || Math.abs(a - b) <= maxErrors * Math.sqrt((a * a) / n + (b * b) / m)

/** Compares two sums of n and m such values, whose number is left to chance as well. */
export const sameSums = (a: number, n: number, b: number, m: number): boolean =>
  n === 0 || m === 0 ? sameCounts(n, m) : Math.abs(a - b) <= maxErrors * Math.sqrt((2 * a * a) / n + (2 * b * b) / m)
