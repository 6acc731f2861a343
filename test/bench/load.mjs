// The load generator's process: does what it is asked by message, one thing after the other.
import { randomInt } from 'node:crypto'
import { closed } from './closed.mjs'
import { paced } from './paced.mjs'
import { createGets, createHits } from './traffic.mjs'

const ways = { closed, paced }
let made = 0

/** Hits of a further load are those of other visitors, else a repeated seed would make the same ones again. */
const source = ({ url, path, paths, headers, age }) => {
  const { host } = new URL(url)
  const number = ++made
  return paths === undefined ? createHits({ host, path, seed: number, ids: randomInt(2 ** 32), age }) : createGets({ host, paths, headers })
}

process.on('message', async ({ way, ...options }) => {
  try {
    process.send({ result: await ways[way](options, source(options)) })
  } catch (error) {
    process.send({ error: error.stack })
  }
})
