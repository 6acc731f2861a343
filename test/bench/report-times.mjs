// How long reports take on a database that is there.
import { startGenerator } from './generator.mjs'
import { ask, authorize, startBare, startProduct } from './processes.mjs'
import { column, interleave } from './rounds.mjs'
import { api } from './seed.mjs'
import { failureOf, median, paired } from './statistics.mjs'

/** A report's path with its range. */
export const ranged = (name, from, to) => `${api}/${name}${name.includes('?') ? '&' : '?'}from=${from}&to=${to}`

/** Rounds of one half alone, where there is no limit. */
const rounds = async ({ rounds: count, progress }, product) => {
  const results = { product: [], limit: [] }
  for (let round = 0; round < count; round++) {
    progress(`round ${round + 1} of ${count}`)
    results.product.push(await product())
  }
  return results
}

/**
 * Each request again and again over one connection: p50 and p99 as `KEY p50` and `KEY p99`. The limit gives as many
 * bytes from memory. A round is long enough for a few answers (`reportAnswers`).
 * @param service `bare` null: without a limit; `beside`, if there, runs during each round and returns its results
 * @param asked `{ key, path, body? }`; `check` gets the first answer's JSON and throws if something is wrong with it
 */
export const timeReports = async (context, { generator, product, bare, headers, beside = async () => [] }, asked) => {
  const measured = {}
  for (const { key, path, body, check = () => {} } of asked) {
    const from = performance.now()
    const first = await ask(`${product.url}${path}`, headers, body)
    const once = (performance.now() - from) / 1000
    if (first.status !== 200) throw new Error(`${path} answered ${first.status}: ${first.body}`)
    check(JSON.parse(first.body))
    const others = []
    const load = (url, paths, seconds, given) =>
      generator.run('closed', { url, paths, headers, body: given, connections: 1, warm: context.reportWarm, seconds })
    const progress = text => context.progress(`${key}, ${text}`)
    const ours = async () => {
      const seconds = Math.max(context.reportSeconds, once * context.reportAnswers)
      const [result, ...more] = await Promise.all([
        load(product.url, [path], seconds, body),
        beside(context.reportWarm + seconds),
      ])
      others.push(...more.flat())
      return result
    }
    const results =
      bare === null
        ? await rounds({ ...context, progress }, ours)
        : await interleave({ ...context, progress }, ours, () =>
            load(bare.url, [`/bytes/${first.body.length}`], context.reportSeconds),
          )
    const failed =
      failureOf([...results.product, ...results.limit], 200) ?? (others.length === 0 ? null : failureOf(others, 204))
    for (const share of ['p50', 'p99']) {
      const values = column(results.product, share)
      measured[`${key} ${share}`] = {
        ...(bare === null ? { value: median(values), rounds: values } : paired(values, column(results.limit, share))),
        ...(failed !== null && { failed }),
      }
    }
  }
  return measured
}

/** The same with a service of its own on a database. */
export const reportTimes = async (context, data, asked) => {
  const [generator, product, bare] = [
    startGenerator(context),
    await startProduct(context, data),
    await startBare(context),
  ]
  const measured = await timeReports(context, { generator, product, bare, headers: authorize(context, data) }, asked)
  await product.stop()
  return measured
}

/** Marks figures with how much data they are of, for goals that are for so much. */
export const sized = (amount, figures) =>
  Object.fromEntries(Object.entries(figures).map(([key, figure]) => [key, { ...figure, amount }]))
