// Open loop: requests are sent when they are due, whether or not the ones before are answered, and a latency counts
// from the due time. autocannon's rates would not do: it sends a second's worth at once and then waits.
import { connect } from 'node:net'
import { percentile } from './statistics.mjs'
import { createRandom } from './traffic.mjs'

const statusAt = [9, 12]
const patience = 10_000

const openSocket = (url, settle) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const line = { socket: connect({ host: hostname, port: Number(port), noDelay: true }), due: null }
    line.socket.once('connect', () => resolve(line))
    line.socket.on('error', reject)
    // An answer without a body comes in one piece; one with a body fails the row anyway.
    line.socket.on('data', bytes => {
      if (line.due !== null) settle(line, bytes.latin1Slice(...statusAt))
    })
    line.socket.on('close', () => {
      if (line.due !== null) settle(line, null)
    })
  })

/** Runs at `rate` a second for `warm` + `seconds`, with arrivals as independent visitors make them (Poisson). */
export const paced = async ({ url, connections, rate, warm, seconds }, next) => {
  const before = process.cpuUsage()
  const idle = []
  const waiting = []
  const milliseconds = []
  const statuses = {}
  let errors = 0
  let underWay = 0

  const send = (line, due) => {
    line.due = due
    line.socket.write(next(), 'latin1')
  }
  const settle = (line, status) => {
    underWay -= 1
    if (status === null) errors += 1
    else statuses[status] = (statuses[status] ?? 0) + 1
    if (line.due >= from) milliseconds.push(performance.now() - line.due)
    line.due = null
    if (status === null) return
    if (waiting.length > 0) send(line, waiting.shift())
    else idle.push(line)
  }
  const lines = await Promise.all(Array.from({ length: connections }, () => openSocket(url, settle)))
  idle.push(...lines)

  const start = performance.now()
  const from = start + warm * 1000
  const until = from + seconds * 1000
  const random = createRandom(connections)
  let due = start
  await new Promise(resolve => {
    const timer = setInterval(() => {
      const now = performance.now()
      for (; due <= now && due < until; due += (-Math.log(1 - random()) * 1000) / rate) {
        underWay += 1
        if (idle.length > 0) send(idle.pop(), due)
        else waiting.push(due)
      }
      if (now < until || (underWay > 0 && now < until + patience)) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  errors += underWay
  for (const { socket } of lines) socket.destroy()
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
