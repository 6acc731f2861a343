// How long reports take on a database that is there.
import { startGenerator } from './generator.mjs'
import { ask, authorize, startBare, startProduct } from './processes.mjs'
import { column, interleave } from './rounds.mjs'
import { complaint, paired } from './statistics.mjs'

/** Each report by its name, over one connection, p50 and p99; the limit gives as many bytes from memory. */
export const reportTimes = async (context, data, names, range) => {
  const [generator, product, bare] = [startGenerator(context), await startProduct(context, data), await startBare(context)]
  const headers = authorize(context, data)
  const measured = {}
  for (const name of names) {
    const path = `/analytics/v1/${name}${name.includes('?') ? '&' : '?'}${range}`
    const { status, body } = await ask(`${product.url}${path}`, headers)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
    const load = (url, paths) => generator.run('closed', { url, paths, headers, connections: 1, warm: context.warm / 4, seconds: context.seconds / 4 })
    const progress = text => context.progress(`/${name}, ${text}`)
    const results = await interleave({ ...context, progress }, () => load(product.url, [path]), () => load(bare.url, [`/bytes/${body.length}`]))
    const failed = complaint([...results.product, ...results.limit], 200)
    for (const key of ['p50', 'p99']) {
      measured[`${name} ${key}`] = { ...paired(column(results.product, key), column(results.limit, key)), ...failed !== null && { failed } }
    }
  }
  await product.stop()
  return measured
}
