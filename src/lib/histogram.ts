/** A histogram of durations: for each upper bound in seconds, the number of observations up to it. */
export type Histogram = {
  observe: (seconds: number) => void
  read: () => { buckets: readonly { bound: number; count: number }[]; sum: number; count: number }
}

/** From a fast response to one that exceeds the timeout of a proxy. */
const defaultBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const createHistogram = (bounds: readonly number[] = defaultBounds): Histogram => {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    observe: seconds => {
      let at = 0
      while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++
      counts[at] = (counts[at] ?? 0) + 1
      sum += seconds
    },
    read: () => {
      let count = 0
      const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => ({
        bound,
        count: (count += counts[index] ?? 0),
      }))
      return { buckets, sum, count }
    },
  }
}
