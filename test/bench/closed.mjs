// Closed loop: each connection sends its next request when the last one is answered. By autocannon.
import autocannon from 'autocannon'
import { percentile } from './statistics.mjs'

/**
 * autocannon's own ways to vary requests (`setupRequest`, `idReplacement`) cost so much that the generator would be
 * the limit. Its client takes any iterator with these four members; the version is pinned.
 */
const feed = next => client => {
  client.requestIterator = {
    currentRequest: { requestBuffer: next() },
    resetted: false,
    nextRequest() {
      this.currentRequest = { requestBuffer: next() }
    },
    recordBody() {},
  }
}

const createMeter = (from, until) => {
  const milliseconds = []
  const statuses = {}
  return {
    milliseconds,
    statuses,
    note: (status, duration) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      const now = performance.now()
      if (now >= from && now < until) milliseconds.push(duration)
    },
  }
}

/**
 * Runs for `warm` + `seconds`, or until `amount` requests are answered. Rate and latencies are those after the
 * warm-up, the statuses those of all answers. `cpu`: share of its core that the generator took.
 */
export const closed = async ({ url, connections, warm = 0, seconds = 0, amount }, next) => {
  const before = process.cpuUsage()
  const start = performance.now()
  const from = start + warm * 1000
  const meter = createMeter(from, amount === undefined ? from + seconds * 1000 : Infinity)
  const length = amount === undefined ? { duration: warm + seconds } : { amount }
  const run = autocannon({ url, connections, ...length, sampleInt: 50, timeout: 30, setupClient: feed(next) })
  run.on('response', (_client, status, _bytes, duration) => meter.note(status, duration))
  const { errors } = await run
  const { user, system } = process.cpuUsage(before)
  const { milliseconds, statuses } = meter
  return {
    rate: milliseconds.length / (amount === undefined ? seconds : (performance.now() - from) / 1000),
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    max: percentile(milliseconds, 1),
    statuses,
    errors,
    cpu: (user + system) / 1000 / (performance.now() - start),
  }
}
