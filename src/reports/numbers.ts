/** A fraction with 4 decimals; null if the divisor is 0. */
export const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

/** A mean of whole units, such as seconds. */
export const mean = (sum: number, count: number): number | null => (count === 0 ? null : Math.round(sum / count))

/** A mean with 2 decimals. */
export const fineMean = (sum: number, count: number): number | null =>
  count === 0 ? null : Math.round((sum / count) * 100) / 100

/** The relative change of a figure; null if it is undefined. */
export const change = (current: number | null, previous: number | null): number | null =>
  current === null || previous === null ? null : ratio(current - previous, previous)
