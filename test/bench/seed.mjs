// Fills databases for the trials over HTTP.
import { setTimeout } from 'node:timers/promises'
import { ask } from './processes.mjs'

export const api = '/analytics/v1'
export const hitPath = `${api}/hit`

const day = 24 * 3600 * 1000
const dateOf = time => new Date(time).toISOString().slice(0, 10)

/** `from=…&to=…` of the last `count` days, including today. */
export const lastDays = count => `from=${dateOf(Date.now() - (count - 1) * day)}&to=${dateOf(Date.now())}`

const viewsOf = async (url, headers) => {
  const { status, body } = await ask(`${url}${api}/summary?${lastDays(2)}`, headers)
  if (status !== 200) throw new Error(`/summary answered ${status}: ${body}`)
  return JSON.parse(body).data.totals.views
}

const timeout = 20_000

/** Waits until /summary shows at least as many views as hits were answered with 204. Returns the number of views. */
export const shownViews = async (url, headers, answered) => {
  for (const start = performance.now(); ; ) {
    const views = await viewsOf(url, headers)
    if (views >= answered) return views
    if (performance.now() - start > timeout)
      throw new Error(`${answered} hits were answered with 204, but /summary shows ${views} views`)
    await setTimeout(200)
  }
}

/** Sends views over HTTP, backdated over the last hour, which is the maximum that the API accepts. */
export const sendViews = (generator, url, amount) =>
  generator.run('closed', { url, path: hitPath, connections: 64, amount, age: 3600 })
