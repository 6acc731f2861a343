import type { Collector } from '../collection/collector.ts'
import { busyTimeout } from '../database/connect.ts'
import type { Body } from '../collection/ingest/fields/common.ts'
import type { Incoming, Outcome, Waiter } from '../collection/record.ts'
import { addDays, type Zone } from '../lib/time.ts'

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
  tally: (outcome: Outcome) => void
  /** The sentence for a file that refuses to be written. */
  unwritable: string
}

/**
 * Takes requests of the past through the pipeline. `flush` commits those that wait. Once a request could not be written,
 * everything rejects: what comes after it must not be taken for done.
 */
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
  let underWay = 0
  let failure: unknown = null
  let ended = (): void => {}
  let saltsDue = 0
  let pruneDue = 0
  let started = false

  const end = (): void => {
    underWay -= 1
    if (underWay === 0) ended()
  }

  const waiter: Waiter = {
    settle: outcome => {
      if (outcome === 'storage') failure ??= new ReplayStorageError(unwritable)
      else tally(outcome)
      end()
    },
    fail: error => {
      failure ??= error
      end()
    },
  }

  const check = (): void => {
    if (failure !== null) throw failure
  }

  const flush = async (): Promise<void> => {
    check()
    collector.queue.flush()
    // Others may wait for a sync that is under way.
    if (underWay > 0)
      await new Promise<void>(resolve => {
        ended = resolve
      })
    check()
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
      underWay += 1
      try {
        collector.collect(incoming, body, waiter)
      } catch (error) {
        waiter.fail(error)
      }
      check()
    },
  }
}
