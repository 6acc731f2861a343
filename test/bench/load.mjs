// The load generator's process: does what it is asked by message, one thing after the other.
import { randomBytes } from 'node:crypto'
import { closed } from './closed.mjs'
import { paced } from './paced.mjs'
import { createGets, createHits } from './traffic.mjs'

const ways = { closed, paced }
/** With two numbers behind it, an id has 21 characters, as the tracker's have. */
const ids = `b-${randomBytes(4).toString('hex')}`
let made = 0

/** Hits of a further load are those of other visitors, else a repeated seed would make the same ones again. */
const source = ({ url, path, paths, headers, age }) => {
  const { host } = new URL(url)
  const number = ++made
  return paths === undefined ? createHits({ host, path, seed: number, ids: `${ids}${number.toString(36).padStart(3, '0')}`, age }) : createGets({ host, paths, headers })
}

process.on('message', async ({ way, ...options }) => {
  try {
    process.send({ result: await ways[way](options, source(options)) })
  } catch (error) {
    process.send({ error: error.stack })
  }
})
