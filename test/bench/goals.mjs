// Goals and funnels on the year: counted over all of it, and as filters.
import { inBackground } from './background.mjs'
import { daysBefore } from './cache.mjs'
import { startOnYear } from './live.mjs'
import { ask, askJson } from './processes.mjs'
import { ranged, sized, timeReports } from './report-times.mjs'
import { api } from './seed.mjs'

const add = async (url, headers, path, given) => {
  const { status, body } = await ask(`${url}${api}${path}`, headers, JSON.stringify(given))
  if (status !== 201) throw new Error(`${path} answered ${status}: ${body}`)
  return JSON.parse(body).id
}

const counted = ({ data }) => {
  if (!data.every(({ sessions }) => sessions > 0)) throw new Error('a goal counted nothing')
}
const listed = ({ data: [first] }) => {
  if (!(first?.sessions > 0)) throw new Error('a goal has no rows')
}
const reached = ({ data: { steps } }) => {
  if (steps.some(({ sessions }) => sessions === 0)) throw new Error('a step counted nothing')
}

/**
 * First the report of a goal of one page and one of an event, over a year; then filters by goals and a funnel, over 90
 * days; then the report of ten goals by patterns.
 */
export const goalReports = async context => {
  const { day, ...service } = await startOnYear(context)
  const { product, headers } = service
  const { url } = product
  const [year, days] = [daysBefore(day, 365), daysBefore(day, 90)]
  const [{ page }, second] = (await askJson(`${url}${ranged('pages', days, day)}`, headers)).data
  const byPage = await add(url, headers, '/goals', { name: 'Page', kind: 'page', pattern: page })
  const byEvent = await add(url, headers, '/goals', { name: 'Event', kind: 'event', pattern: 'signup' })
  const funnel = await add(url, headers, '/funnels', {
    name: 'Funnel',
    steps: [page, second.page, '/*'].map(pattern => ({ kind: 'page', pattern })),
  })
  const measured = await timeReports(context, service, [
    { key: 'summed', path: ranged('goals/report', year, day), check: counted },
    { key: 'page', path: ranged(`pages?goal=${byPage}`, days, day) },
    { key: 'event', path: ranged(`pages?goal=${byEvent}`, days, day) },
    { key: 'funnel', path: ranged(`funnels/${funnel}/report`, days, day), check: reached },
    { key: 'rows', path: ranged(`goals/${byPage}/breakdown?by=page`, days, day), check: listed },
  ])
  for (let number = 0; number < 10; number++)
    await add(url, headers, '/goals', { name: `Pattern ${number}`, kind: 'page', pattern: `/*${number}` })
  Object.assign(
    measured,
    await timeReports(context, service, [{ key: 'patterns', path: ranged('goals/report', days, day) }]),
  )
  await product.stop()
  return sized(context.yearViews, measured)
}

/** A goal by a pattern is made, counted over a year, shown in rows of pages, and removed: again and again. */
export const goalsMade = async ({ url, headers, day }) => {
  const [from, path] = [daysBefore(day, 365), `${url}${api}/goals`]
  let made = 0
  const background = inBackground(async ended => {
    while (!ended()) {
      const id = await add(url, headers, '/goals', { name: 'Made', kind: 'page', pattern: '/*1' })
      counted(await askJson(`${url}${ranged('goals/report', from, day)}`, headers))
      await askJson(`${url}${ranged(`goals/${id}/breakdown?by=page`, from, day)}`, headers)
      await ask(`${path}/${id}`, headers, undefined, 'DELETE')
      made += 1
    }
  })
  return {
    end: async () => {
      await background.end()
      return `${made} goals made and counted`
    },
  }
}
