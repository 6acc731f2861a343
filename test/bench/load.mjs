// The load generator's process: runs one load per message, one after another.
import { randomInt } from 'node:crypto'
import { closed } from './closed.mjs'
import { paced } from './paced.mjs'
import { createHits, createMixed, createRequests } from './traffic.mjs'

const modes = { closed, paced }
let loads = 0

/** Every load gets its own seed: with the same seed, later loads would repeat the hits of earlier ones. */
const source = ({ url, path, paths, mixed, headers, body, age }) => {
  const { host } = new URL(url)
  if (paths !== undefined) return createRequests({ host, paths, headers, body })
  const who = { host, seed: ++loads, ids: randomInt(2 ** 32) }
  return mixed === undefined ? createHits({ ...who, path, age }) : createMixed({ ...who, base: mixed })
}

process.on('message', async ({ mode, ...options }) => {
  try {
    const next = source(options)
    const result = await modes[mode](options, next)
    process.send({ result: { ...result, hits: next.hits?.() } })
  } catch (error) {
    process.send({ error: error.stack })
  }
})
