// What grows with the views in the file: memory on the year's file, and the same figures for files of several sizes.
import { rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { daysBefore } from './cache.mjs'
import { startGenerator } from './generator.mjs'
import { commonSegment, questionBatches } from './live.mjs'
import { ask, authorize, memoryOf, startProduct } from './processes.mjs'
import { ranged, sized, timeReports } from './report-times.mjs'
import { api, hitPath } from './seed.mjs'
import { failureOf, median } from './statistics.mjs'
import { bytesPerView, yearCopy } from './year.mjs'

const settled = 2000

/**
 * Resident memory on the year's file: idle, and after full load with every report at the same time and all questions asked.
 */
export const yearMemory = names => async context => {
  const { data, day } = await yearCopy(context)
  const [generator, readers, product] = [
    startGenerator(context),
    startGenerator(context),
    await startProduct(context, data),
  ]
  await setTimeout(settled)
  const idle = memoryOf(product.pid, 'VmRSS')
  const headers = authorize(context, data)
  const from = daysBefore(day, 365)
  const seconds = context.seconds * 2
  const [sent, asked] = await Promise.all([
    generator.run('closed', { url: product.url, path: hitPath, connections: 64, seconds }),
    readers.run('closed', {
      url: product.url,
      paths: names.map(name => ranged(name, from, day)),
      headers,
      connections: 2,
      seconds,
    }),
  ])
  const failed = failureOf([sent], 204) ?? failureOf([asked], 200)
  const [, { body }] = await questionBatches(product.url, headers, from, day)
  const { status } = await ask(`${product.url}${api}/advisor/answers`, headers, body)
  if (status !== 200) throw new Error(`/advisor/answers answered ${status}`)
  const [loaded, peak] = [memoryOf(product.pid, 'VmRSS'), memoryOf(product.pid, 'VmHWM')]
  await product.stop()
  const finish = value => ({ value, ...(failed !== null && { failed }) })
  return sized(context.yearViews, { idle: finish(idle), loaded: finish(loaded), peak: finish(peak) })
}

const startTimes = async (context, data) => {
  const times = []
  for (let round = 0; round < context.rounds; round++) {
    const from = performance.now()
    const product = await startProduct(context, data)
    const { status } = await ask(`${product.url}/healthz`)
    times.push(performance.now() - from)
    await product.stop()
    if (status !== 200) throw new Error(`/healthz answered ${status}`)
  }
  return times
}

const grown = async (context, views, names) => {
  const { data, day } = await yearCopy(context, views)
  const bytes = bytesPerView(data, views)
  const starts = await startTimes(context, data)
  const [generator, product] = [startGenerator(context), await startProduct(context, data)]
  await setTimeout(settled)
  const idle = memoryOf(product.pid, 'VmRSS')
  const headers = authorize(context, data)
  const from = daysBefore(day, 365)
  const { filter, note } = await commonSegment(product.url, headers, daysBefore(day, 90), day)
  const progress = text => context.progress(`${views.toLocaleString('en-US')} views, ${text}`)
  const times = await timeReports({ ...context, progress }, { generator, product, bare: null, headers }, [
    ...names.map(name => ({ key: name, path: ranged(name, from, day) })),
    { key: 'segment', path: ranged(`pages?${filter}`, daysBefore(day, 90), day) },
    ...(await questionBatches(product.url, headers, from, day)),
  ])
  const peak = memoryOf(product.pid, 'VmHWM')
  await product.stop()
  generator.stop()
  rmSync(data)
  times['segment p50'].note = note
  return {
    bytes,
    start: { value: median(starts), rounds: starts },
    idle: { value: idle },
    peak: { value: peak },
    ...times,
  }
}

/** The same figures for years of several sizes, one after the other; keys begin with the number of views. */
export const growth = names => async context => {
  const measured = {}
  for (const views of context.growthViews) {
    const figures = sized(views, await grown(context, views, names))
    for (const [key, figure] of Object.entries(figures)) measured[`${views} ${key}`] = figure
  }
  return measured
}
