// Whether a figure rose, and whether that is good.

type Numbers = { now: number | null | undefined; before: number | null | undefined }
type Judged = 'unknown' | 'unchanged' | 'new' | { up: boolean; verdict: 'good' | 'bad' | '' }

/**
 * `change` is the fraction by which it did, null where there was nothing before. An `unfair` comparison is neither good
 * nor bad.
 */
export const judgeChange = (
  { now, before }: Numbers,
  { change, lowerIsBetter, unfair }: { change: number | null | undefined; lowerIsBetter: boolean; unfair: boolean },
): Judged => {
  if (now === null || before === null || now === undefined || before === undefined) return 'unknown'
  if (now === before) return 'unchanged'
  if (change === null || change === undefined) return 'new'
  const up = now > before
  return { up, verdict: unfair ? '' : up !== lowerIsBetter ? 'good' : 'bad' }
}

/** The lengths of the range and of the one compared with, in days. */
export type Lengths = readonly [days: number, other: number]

/** The figures of one day each, and how they differ: ranges of different lengths are compared so. */
export const aDay = ({ now, before }: { now: number; before: number }, [days, other]: Lengths) => ({
  now: now / days,
  before: before / other,
  change: before === 0 ? null : (now * other) / (before * days) - 1,
})

/** Fractions differ by percentage points, with two decimals. */
export const pointsBetween = (now: number, before: number): number => Math.round(Math.abs(now - before) * 10_000) / 100
