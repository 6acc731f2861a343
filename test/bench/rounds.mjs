// Rounds of two that are compared: product and limit take turns in who goes first, so that neither profits from drift.

/** Runs both in each round; gives `{ product: [result …], limit: [result …] }`. */
export const interleave = async ({ rounds, progress }, product, limit) => {
  const results = { product: [], limit: [] }
  const one = async name => {
    results[name].push(await (name === 'product' ? product : limit)())
  }
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`)
    const order = round % 2 === 0 ? ['limit', 'product'] : ['product', 'limit']
    for (const name of order) await one(name)
  }
  return results
}

export const column = (results, key) => results.map(result => result[key])
