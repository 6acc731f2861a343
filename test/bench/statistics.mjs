// Statistics over samples. Each function is tested, because nobody notices a wrong median in a table.

const sorted = samples => Float64Array.from(samples).sort()

/** The percentile by nearest rank, which is always one of the samples. NaN without samples. */
export const percentile = (samples, share) => {
  const ordered = sorted(samples)
  return ordered.length === 0 ? Number.NaN : ordered[Math.max(0, Math.ceil(share * ordered.length) - 1)]
}

export const median = samples => {
  const ordered = sorted(samples)
  const middle = ordered.length / 2
  if (ordered.length === 0) return Number.NaN
  return Number.isInteger(middle) ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[Math.floor(middle)]
}

/**
 * Product and limit of the same rounds. The ratio is the median of the rounds' own ratios, not the ratio of the
 * medians: a machine that is slow for a while slows both halves of a round and hardly changes their quotient.
 */
export const paired = (product, limit) => {
  const ratios = product.map((value, round) => value / limit[round])
  return {
    value: median(product),
    limit: median(limit),
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)],
    rounds: product.map((value, round) => [value, limit[round]]),
  }
}

/** The number of responses per status over all results: { 204: 1000, 503: 2 }. */
export const addStatuses = results => {
  const total = {}
  for (const { statuses } of results) {
    for (const [status, count] of Object.entries(statuses)) total[status] = (total[status] ?? 0) + count
  }
  return total
}

/** A busy machine may get no response within a short round. JSON turns NaN into null between the processes. */
const hasNoSample = ({ p50 }) => p50 === null || Number.isNaN(p50)

/** Describes the responses that do not have the `expected` status; null if all have it. */
export const failureOf = (results, expected) => {
  const statuses = addStatuses(results)
  const errors = results.reduce((sum, result) => sum + result.errors, 0)
  const others = Object.entries(statuses)
    .filter(([status]) => Number(status) !== expected)
    .map(([status, count]) => `${count} × ${status}`)
  if (errors > 0) others.push(`${errors} × no answer`)
  if (statuses[expected] === undefined) others.push(`no ${expected} at all`)
  if (others.length === 0 && results.some(hasNoSample))
    return 'no answer came in the time of a round: the machine is too busy'
  return others.length === 0 ? null : `not every answer was ${expected}: ${others.join(', ')}`
}
