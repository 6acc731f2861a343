import { collected, type Collected } from '../collection/collected.ts'
import type { Collector } from '../collection/collector.ts'
import { busyTimeout } from '../database/connect.ts'
import type { Body } from '../collection/fields/common.ts'
import type { Incoming } from '../collection/record.ts'
import { addDays, type Zone } from '../time.ts'

/** A group that could not be written: what came before it is in the file. */
export class ReplayStorageError extends Error {
  override name = 'CommandError'
}

export type ReplayOptions = {
  collector: Collector
  zone: Zone
  /** Sets the collector's clock. */
  setNow: (second: number) => void
  /** What became of a request. */
  tally: (outcome: Collected['outcome']) => void
  /** The sentence for a file that refuses to be written. */
  unwritable: string
}

/** Takes requests of the past through the pipeline. `flush` commits those that wait. */
export type Replay = {
  take: (incoming: Incoming, body: Body) => Promise<void>
  flush: () => Promise<void>
  /** The same after the last one, and writes what visits have gained. */
  finish: () => Promise<void>
}

const grace = 30 * 60
/** How long memory may hold what is over. */
const tidying = 6 * 3600

/** Requests in the order of time, each at its own: what the service does by the clock happens here by their times. */
export const createReplay = ({ collector, zone, setNow, tally, unwritable }: ReplayOptions): Replay => {
  const pending: Promise<void>[] = []
  let saltsDue = 0
  let pruneDue = 0
  let started = false

  const settle = ({ outcome }: Collected): void => {
    if (outcome === 'storage') throw new ReplayStorageError(unwritable)
    tally(outcome)
  }

  const flush = async (): Promise<void> => {
    collector.queue.flush()
    await Promise.all(pending.splice(0))
  }

  const passTime = async (second: number): Promise<void> => {
    setNow(second)
    if (!started) collector.restore()
    started = true
    if (second >= saltsDue) {
      await flush()
      collector.salts.destroyExpired(second)
      const today = zone.dayOf(second)
      const soon = zone.startOf(today) + grace
      saltsDue = second < soon ? soon : zone.startOf(addDays(today, 1))
    }
    if (second >= pruneDue) {
      await flush()
      collector.prune()
      collector.forgetRecent()
      pruneDue = second + tidying
    }
  }

  return {
    flush,
    finish: async () => {
      await flush()
      collector.queue.finish(busyTimeout)
    },
    take: async (incoming, body) => {
      await passTime(incoming.second)
      pending.push(collected(collector, incoming, body).then(settle))
    },
  }
}
