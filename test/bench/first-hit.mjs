// How long the first hit after a start keeps other requests waiting, with many ids of the last 48 hours in the file.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { importLines } from './cache.mjs'
import { ask, startProduct } from './processes.mjs'
import { hitPath } from './seed.mjs'
import { paired } from './statistics.mjs'

const idLines = fileURLToPath(new URL('id-lines.mjs', import.meta.url))
const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0' }
/** Milliseconds around a hit in which requests are timed. */
const around = 500

const timed = async work => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** The longest of a hit and of the requests at the same time, in milliseconds. */
const longestWait = async (url, page) => {
  const body = JSON.stringify({ page_url: `https://example.org/${page}`, pvid: `first-hit-bench-${page}` })
  const hit = async () => {
    await wait(around / 5)
    return timed(async () => {
      const { status } = await ask(`${url}${hitPath}`, headers, body)
      if (status !== 204) throw new Error(`the hit was answered with ${status}`)
    })
  }
  const beside = async () => {
    const times = []
    for (const end = performance.now() + around; performance.now() < end; )
      times.push(await timed(() => ask(`${url}/healthz`)))
    return times
  }
  const [ofHit, others] = await Promise.all([hit(), beside()])
  return Math.max(ofHit, ...others)
}

/** The longest wait around the first hit of a new process, and around its second. */
export const firstHit = async context => {
  const data = join(context.folder, 'ids.db')
  await importLines(context, idLines, [context.ids], 'requests', data)
  const [firsts, seconds] = [[], []]
  for (let round = 0; round < context.rounds; round++) {
    context.progress(`round ${round + 1} of ${context.rounds}`)
    const product = await startProduct(context, data)
    firsts.push(await longestWait(product.url, `first-${round}`))
    seconds.push(await longestWait(product.url, `second-${round}`))
    await product.stop()
  }
  return { pause: { ...paired(firsts, seconds), note: `${context.ids.toLocaleString('en-US')} ids` } }
}
