// Rounds of product and limit. The order alternates, so that drift favours neither.

/** Runs both in each round. Returns `{ product: [result …], limit: [result …] }`. */
export const interleave = async ({ rounds, progress }, product, limit) => {
  const results = { product: [], limit: [] }
  const run = async name => {
    results[name].push(await (name === 'product' ? product : limit)())
  }
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`)
    const order = round % 2 === 0 ? ['limit', 'product'] : ['product', 'limit']
    for (const name of order) await run(name)
  }
  return results
}

export const column = (results, key) => results.map(result => result[key])
