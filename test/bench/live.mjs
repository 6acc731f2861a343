// Reports on the year in harder ways: with today in them while hits arrive, asked first, filtered, and all questions.

import { daysBefore } from './cache.mjs'
import { startGenerator } from './generator.mjs'
import { askJson, authorize, startBare, startProduct } from './processes.mjs'
import { ranged, sized, timeReports } from './report-times.mjs'
import { api, hitPath, sendViews, shownViews } from './seed.mjs'
import { failureOf, paired } from './statistics.mjs'
import { yearCopy } from './year.mjs'

const today = () => new Date().toISOString().slice(0, 10)

/** Reports over ranges that end today, while hits arrive at a rate. Today has views of the last hour as well. */
export const liveReports = (names, ranges, rate) => async context => {
  const { data } = await yearCopy(context)
  const [generator, visitors, product] = [
    startGenerator(context),
    startGenerator(context),
    await startProduct(context, data),
  ]
  const headers = authorize(context, data)
  const failed = failureOf([await sendViews(visitors, product.url, context.views)], 204)
  if (failed !== null) throw new Error(failed)
  await shownViews(product.url, headers, context.views)
  const beside = seconds =>
    visitors.run('paced', { url: product.url, path: hitPath, connections: 8, rate, warm: 0, seconds })
  const asked = names.flatMap(name =>
    ranges.map(days => ({ key: `${name} ${days}`, path: ranged(name, daysBefore(today(), days), today()) })),
  )
  const measured = await timeReports(context, { generator, product, bare: null, headers, beside }, asked)
  await product.stop()
  return sized(context.yearViews, measured)
}

const timed = async (url, headers) => {
  const from = performance.now()
  await askJson(url, headers)
  return performance.now() - from
}

/** The first answer of a process that has just started; the limit is its second one. */
export const firstAnswers = (names, days) => async context => {
  const { data, day } = await yearCopy(context)
  const before = await startProduct(context, data)
  const headers = authorize(context, data)
  await before.stop()
  const measured = {}
  for (const name of names) {
    const [first, second] = [[], []]
    for (let round = 0; round < context.rounds; round++) {
      context.progress(`/${name}, round ${round + 1} of ${context.rounds}`)
      const product = await startProduct(context, data)
      const url = `${product.url}${ranged(name, daysBefore(day, days), day)}`
      first.push(await timed(url, headers))
      second.push(await timed(url, headers))
      await product.stop()
    }
    measured[name] = paired(first, second)
  }
  return sized(context.yearViews, measured)
}

const viewsOf = async (url, headers) => (await askJson(url, headers)).data.totals.views

/** The filter for the most frequent country on the most frequent device of a range, and how many views that are. */
export const commonSegment = async (url, headers, from, to) => {
  const mostFrequent = async type =>
    (await askJson(`${url}${ranged(`dimensions/${type}`, from, to)}`, headers)).data.find(({ key }) => key !== null).key
  const [country, device] = [await mostFrequent('country'), await mostFrequent('device')]
  const filter = `country=${country}&device=${device}`
  const [all, chosen] = [
    await viewsOf(`${url}${ranged('summary', from, to)}`, headers),
    await viewsOf(`${url}${ranged(`summary?${filter}`, from, to)}`, headers),
  ]
  return { filter, note: `${filter}: ${chosen.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} views` }
}

/** The product on a copy of the year, and the bare server that it is compared with. */
export const startOnYear = async context => {
  const { data, day } = await yearCopy(context)
  const [generator, product, bare] = [
    startGenerator(context),
    await startProduct(context, data),
    await startBare(context),
  ]
  return { day, generator, product, bare, headers: authorize(context, data) }
}

/** Reports of the most frequent country on the most frequent device, from single visits. */
export const segmentReports = (names, days) => async context => {
  const { day, ...service } = await startOnYear(context)
  const { product, headers } = service
  const from = daysBefore(day, days)
  const { filter, note } = await commonSegment(product.url, headers, from, day)
  const measured = await timeReports(
    context,
    service,
    names.map(name => ({ key: name, path: ranged(`${name}?${filter}`, from, day) })),
  )
  await product.stop()
  measured[`${names[0]} p50`].note = note
  return sized(context.yearViews, measured)
}

/** Paths from and to the most viewed page, and four steps of all sessions, from single visits. */
export const pathReports = (queries, days) => async context => {
  const { day, ...service } = await startOnYear(context)
  const { product, headers } = service
  const from = daysBefore(day, days)
  const { page } = (await askJson(`${product.url}${ranged('pages?limit=1', from, day)}`, headers)).data[0]
  const paths = queries.map(key => ({
    key,
    path: ranged(`paths?${key.replace('PAGE', encodeURIComponent(page))}`, from, day),
  }))
  const { start } = (await askJson(`${product.url}${paths[0].path}`, headers)).data
  const measured = await timeReports(context, service, paths)
  await product.stop()
  measured[`${queries[0]} p50`].note = `page=${page}: ${start.sessions.toLocaleString('en-US')} sessions came to it`
  return sized(context.yearViews, measured)
}

/** Those that cross two dimensions of single visits. */
const crossed = ['q66', 'q79', 'q80', 'q88']

const complain = ({ answers }) => {
  const wrong = answers.filter(({ status }) => status === 'error')
  if (wrong.length > 0) throw new Error(`not answered: ${wrong.map(({ id, code }) => `${id} (${code})`).join(', ')}`)
}

/** All questions of the advisor in one batch, and all but those that read single visits. */
export const questionBatches = async (url, headers, from, to) => {
  const ids = (await askJson(`${url}${api}/advisor/questions`, headers)).questions.map(({ id }) => id)
  const batch = (key, chosen) => ({
    key,
    path: `${api}/advisor/answers`,
    body: JSON.stringify({ ids: chosen, from, to }),
    check: complain,
  })
  return [
    batch(
      'rolled',
      ids.filter(id => !crossed.includes(id)),
    ),
    batch('all', ids),
  ]
}

const statusesOf = ({ answers }) =>
  Object.entries(Object.groupBy(answers, ({ status }) => status))
    .map(([status, list]) => `${list.length} ${status}`)
    .join(', ')

export const questions = days => async context => {
  const { day, ...service } = await startOnYear(context)
  const { product, headers } = service
  const batches = await questionBatches(product.url, headers, daysBefore(day, days), day)
  const measured = await timeReports(context, service, batches)
  const { path, body } = batches[1]
  measured['all p50'].note = statusesOf(await askJson(`${product.url}${path}`, headers, body))
  await product.stop()
  return sized(context.yearViews, measured)
}
