// Open loop: requests are sent when they are due, whether or not earlier ones have been answered, and latency is
// measured from the due time. autocannon cannot do this: it sends the requests of a second in one burst and then waits.
import { connect } from 'node:net'
import { percentile } from './statistics.mjs'
import { createRandom } from './traffic.mjs'

const statusRange = [9, 12]
const timeout = 10_000

const openSocket = (url, settle) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const connection = { socket: connect({ host: hostname, port: Number(port), noDelay: true }), due: null }
    connection.socket.once('connect', () => resolve(connection))
    connection.socket.on('error', reject)
    // A response without a body arrives in one chunk. One with a body fails the row anyway.
    connection.socket.on('data', bytes => {
      if (connection.due !== null) settle(connection, bytes.latin1Slice(...statusRange))
    })
    connection.socket.on('close', () => {
      if (connection.due !== null) settle(connection, null)
    })
  })

/**
 * Sends `rate` requests per second for `warm` + `seconds`. Arrivals are a Poisson process, as with independent
 * visitors.
 */
export const paced = async ({ url, connections, rate, warm, seconds }, next) => {
  const before = process.cpuUsage()
  const idle = []
  const waiting = []
  const milliseconds = []
  const statuses = {}
  let errors = 0
  let inFlight = 0

  const send = (connection, due) => {
    connection.due = due
    connection.socket.write(next(), 'latin1')
  }
  const settle = (connection, status) => {
    inFlight -= 1
    if (status === null) errors += 1
    else statuses[status] = (statuses[status] ?? 0) + 1
    if (connection.due >= from) milliseconds.push(performance.now() - connection.due)
    connection.due = null
    if (status === null) return
    if (waiting.length > 0) send(connection, waiting.shift())
    else idle.push(connection)
  }
  const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(url, settle)))
  idle.push(...sockets)

  const start = performance.now()
  const from = start + warm * 1000
  const until = from + seconds * 1000
  const random = createRandom(connections)
  let due = start
  await new Promise(resolve => {
    const timer = setInterval(() => {
      const now = performance.now()
      for (; due <= now && due < until; due += (-Math.log(1 - random()) * 1000) / rate) {
        inFlight += 1
        if (idle.length > 0) send(idle.pop(), due)
        else waiting.push(due)
      }
      if (now < until || (inFlight > 0 && now < until + timeout)) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  errors += inFlight
  for (const { socket } of sockets) socket.destroy()
  const { user, system } = process.cpuUsage(before)
  return {
    rate: milliseconds.length / seconds,
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    max: percentile(milliseconds, 1),
    statuses,
    errors,
    cpu: (user + system) / 1000 / (performance.now() - start),
  }
}
