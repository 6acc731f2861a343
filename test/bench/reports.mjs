// Reports, and what they do to collection.
import { join } from 'node:path'
import { startGenerator } from './generator.mjs'
import { ask, authorize, startBare, startProduct } from './processes.mjs'
import { column, interleave } from './rounds.mjs'
import { api, hitPath, lastDays, sendViews, shownViews } from './seed.mjs'
import { failureOf, paired } from './statistics.mjs'

const pathsOf = days => [`${api}/summary?${lastDays(days)}`, `${api}/pages?${lastDays(days)}`]

/** A service with views in its file. */
const startFilled = async context => {
  const data = join(context.folder, 'reports.db')
  const generator = startGenerator(context)
  const product = await startProduct(context, data)
  const headers = authorize(context, data)
  context.progress(`recording ${context.views.toLocaleString('en-US')} views`)
  const sent = await sendViews(generator, product.url, context.views)
  const failed = failureOf([sent], 204)
  if (failed !== null) throw new Error(failed)
  await shownViews(product.url, headers, context.views)
  return { generator, product, headers }
}

/** One report, asked again and again over one connection; the limit gives as many bytes from memory. */
const timeReport = async (context, { generator, product, bare, headers }, path) => {
  const { body } = await ask(`${product.url}${path}`, headers)
  const load = (url, paths) =>
    generator.run('closed', {
      url,
      paths,
      headers,
      connections: 1,
      warm: context.warm / 2,
      seconds: context.seconds / 2,
    })
  const results = await interleave(
    context,
    () => load(product.url, [path]),
    () => load(bare.url, [`/bytes/${body.length}`]),
  )
  const failed = failureOf([...results.product, ...results.limit], 200)
  const pair = key => ({
    ...paired(column(results.product, key), column(results.limit, key)),
    ...(failed !== null && { failed }),
  })
  return { p50: pair('p50'), p99: pair('p99') }
}

/** Answer times of /summary and /pages over a number of days each. */
export const reports = ranges => async context => {
  const service = { ...(await startFilled(context)), bare: await startBare(context) }
  const measured = {}
  for (const days of ranges) {
    const [summary, pages] = pathsOf(days)
    for (const [name, path] of [
      ['summary', summary],
      ['pages', pages],
    ]) {
      const { p50, p99 } = await timeReport(
        { ...context, progress: text => context.progress(`/${name}, ${days} days, ${text}`) },
        service,
        path,
      )
      Object.assign(measured, { [`${name}-${days}-p50`]: p50, [`${name}-${days}-p99`]: p99 })
    }
  }
  await service.product.stop()
  return measured
}

/**
 * Latency of hits at a fixed rate while two connections ask for reports without a pause; the limit is without reports.
 */
export const collectionDuringReports = rate => async context => {
  const { generator, product, headers } = await startFilled(context)
  const readers = startGenerator(context)
  const asked = []
  const hits = () =>
    generator.run('paced', {
      url: product.url,
      path: hitPath,
      connections: 64,
      rate,
      warm: context.warm,
      seconds: context.seconds,
    })
  const both = async () => {
    const paths = [...pathsOf(30), ...pathsOf(365)]
    const reading = readers.run('closed', {
      url: product.url,
      paths,
      headers,
      connections: 2,
      seconds: context.warm + context.seconds,
    })
    const result = await hits()
    asked.push(await reading)
    return result
  }
  const results = await interleave(context, both, hits)
  const failed = failureOf([...results.product, ...results.limit], 204) ?? failureOf(asked, 200)
  await product.stop()
  const note = `${Math.round(asked.reduce((sum, { rate: perSecond }) => sum + perSecond, 0) / asked.length).toLocaleString('en-US')} reports/s beside`
  return {
    p99: {
      ...paired(column(results.product, 'p99'), column(results.limit, 'p99')),
      note,
      ...(failed !== null && { failed }),
    },
  }
}
