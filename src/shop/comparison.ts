// A comparison of the stored orders with the shop's, in the background of the service. It changes neither, so its result
// lives in memory: after a restart it can be made again.
import type { Db } from '../database/query.ts'
import { errorText } from '../lib/errors.ts'
import type { Sleep } from '../lib/sleep.ts'
import type { Day, Zone } from '../lib/time.ts'
import type { Log } from '../runtime/log.ts'
import { withBackoff } from './backoff.ts'
import type { ShopClient } from './client.ts'
import { compareOrders, type Finding } from './compare.ts'
import { ShopError, sentenceOf } from './errors.ts'
import type { TalliedDay } from './tally.ts'

/** Days on which orders count, both included. */
type Range = { from: Day; to: Day }

export const comparisonStates = ['idle', 'running', 'done', 'failed', 'cancelled'] as const

/** Times in seconds since 1970. */
export type Comparison = {
  state: (typeof comparisonStates)[number]
  range: Range | null
  startedAt: number | null
  finishedAt: number | null
  /** Orders of the shop compared so far; `total` is null until the shop has said how many there are. */
  compared: number
  total: number | null
  /** Of all differences the first ones are kept. */
  differing: number
  differences: Finding[]
  /** Orders that changed in the shop meanwhile: ask again for these. */
  unsettled: number[]
  /** Sums of each day, known at the end. */
  days: TalliedDay[]
  lastError: string | null
}

export type ShopComparison = {
  /** Starts a comparison; false if one is running or no shop is connected. */
  start: (range: Range) => boolean
  cancel: () => void
  current: () => Comparison
  stop: () => Promise<void>
}

/** A shop whose orders all differ must not fill the memory. */
const maxKept = 5000

const idle: Comparison = {
  state: 'idle',
  range: null,
  startedAt: null,
  finishedAt: null,
  compared: 0,
  total: null,
  differing: 0,
  differences: [],
  unsettled: [],
  days: [],
  lastError: null,
}

export type ShopComparisonOptions = {
  db: Db
  zone: Zone
  now: () => number
  /** Null if no shop is connected. */
  client: ShopClient | null
  paidStatuses: readonly string[]
  sleep: Sleep
  log: Log
}

export const createShopComparison = (options: ShopComparisonOptions): ShopComparison => {
  const { db, zone, now, client, paidStatuses, sleep, log } = options
  let current = idle
  let abort = new AbortController()
  let done: Promise<void> = Promise.resolve()

  const compare = async (connected: ShopClient, range: Range, run: Comparison): Promise<void> => {
    const { signal } = abort
    const retrying = withBackoff({
      client: connected,
      sleep,
      onWait: (seconds, reason) => log.warn('a request to the shop failed and will be retried', { seconds, reason }),
    })
    try {
      const { days, compared } = await compareOrders({
        db,
        client: retrying,
        zone,
        ...range,
        signal,
        statuses: new Set(paidStatuses),
        onFinding: finding => {
          run.differing += 1
          if (run.differences.length < maxKept) run.differences.push(finding)
        },
        onUnsettled: id => {
          run.unsettled.push(id)
        },
        onProgress: (passed, total) => {
          run.compared = passed
          run.total = total
        },
      })
      Object.assign(run, { state: 'done', days, compared, total: compared, finishedAt: now() })
    } catch (error) {
      Object.assign(run, { state: signal.aborted ? 'cancelled' : 'failed', finishedAt: now() })
      if (signal.aborted) return
      run.lastError = sentenceOf(error)
      if (!(error instanceof ShopError)) log.error('the comparison with the shop failed', { reason: errorText(error) })
    }
  }

  return {
    start: range => {
      if (client === null || current.state === 'running') return false
      abort = new AbortController()
      current = { ...idle, state: 'running', range, startedAt: now(), differences: [], unsettled: [] }
      done = compare(client, range, current)
      return true
    },
    cancel: () => {
      if (current.state !== 'running') return
      abort.abort(new Error('the comparison was cancelled'))
      Object.assign(current, { state: 'cancelled', finishedAt: now() })
    },
    current: () => current,
    stop: async () => {
      abort.abort(new Error('the service stops'))
      await done
    },
  }
}
