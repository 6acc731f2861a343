// Databases for the trials, filled through the product's own door.
import { setTimeout } from 'node:timers/promises'
import { ask } from './processes.mjs'

export const hitPath = '/analytics/v1/hit'

const day = 24 * 3600 * 1000
const dateOf = time => new Date(time).toISOString().slice(0, 10)

/** `from=…&to=…` of the last days, today included. */
export const lastDays = count => `from=${dateOf(Date.now() - (count - 1) * day)}&to=${dateOf(Date.now())}`

const viewsOf = async (url, headers) => {
  const { status, body } = await ask(`${url}/analytics/v1/summary?${lastDays(2)}`, headers)
  if (status !== 200) throw new Error(`/summary answered ${status}: ${body}`)
  return JSON.parse(body).data.totals.views
}

const patience = 20_000

/** The views in /summary, once they are at least as many as were answered with 204; fails if they do not come to be. */
export const shownViews = async (url, headers, answered) => {
  for (const start = performance.now(); ;) {
    const views = await viewsOf(url, headers)
    if (views >= answered) return views
    if (performance.now() - start > patience) throw new Error(`${answered} hits were answered with 204, but /summary shows ${views} views`)
    await setTimeout(200)
  }
}

/**
 * Sends views over HTTP, dated back over the last hour, the most that the contract allows. A database of a year needs
 * `footfall import`: once that exists, this is the one place to use it.
 */
export const sendViews = (generator, url, amount) =>
  generator.run('closed', { url, path: hitPath, connections: 64, amount, age: 3600 })
