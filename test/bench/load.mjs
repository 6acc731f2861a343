// The load generator's process: does what it is asked by message, one thing after the other.
import { randomInt } from 'node:crypto'
import { closed } from './closed.mjs'
import { paced } from './paced.mjs'
import { createAsks, createHits, createMixed } from './traffic.mjs'

const ways = { closed, paced }
let made = 0

/** Hits of a further load are those of other visitors, else a repeated seed would make the same ones again. */
const source = ({ url, path, paths, mixed, headers, body, age }) => {
  const { host } = new URL(url)
  if (paths !== undefined) return createAsks({ host, paths, headers, body })
  const who = { host, seed: ++made, ids: randomInt(2 ** 32) }
  return mixed === undefined ? createHits({ ...who, path, age }) : createMixed({ ...who, base: mixed })
}

process.on('message', async ({ way, ...options }) => {
  try {
    const next = source(options)
    const result = await ways[way](options, next)
    process.send({ result: { ...result, hits: next.hits?.() } })
  } catch (error) {
    process.send({ error: error.stack })
  }
})
