import type { Collector } from '../collection/collector.ts'
import type { Body } from '../collection/ingest/values.ts'
import type { Incoming, Outcome } from '../collection/record.ts'
import { attempt } from '../database/errors.ts'
import { ExpectedError } from '../lib/errors.ts'
import { addDays, type Zone } from '../lib/time.ts'

export type ReplayOptions = {
  collector: Collector
  zone: Zone
  /** Sets the collector's clock. */
  setNow: (at: number) => void
  /** Receives the outcome of each request. */
  tally: (outcome: Outcome) => void
  /** The error message for a failed write. */
  writeError: string
}

/**
 * Sends past requests through the pipeline. `flush` commits pending ones. After a failed write every call rejects:
 * later requests must not count as stored.
 */
export type Replay = {
  take: (incoming: Incoming, body: Body) => Promise<void>
  flush: () => Promise<void>
}

const graceSeconds = 30 * 60
const pruneInterval = 6 * 3600
/** Below the bound at which the collector refuses requests. */
const maxWaiting = 5000

/** Requests must be sorted by time. Work that the service does by the clock is done here by their times. */
export const createReplay = ({ collector, zone, setNow, tally, writeError }: ReplayOptions): Replay => {
  let pending = 0
  let failure: unknown = null
  let onIdle = (): void => {}
  let saltsDue = 0
  let pruneDue = 0
  let started = false

  const end = (): void => {
    pending -= 1
    if (pending === 0) onIdle()
  }

  const collect = async (incoming: Incoming, body: Body): Promise<void> => {
    pending += 1
    try {
      const { outcome } = await collector.collect(incoming, body)
      if (outcome === 'storage') failure ??= new ExpectedError(writeError)
      else tally(outcome)
    } catch (error) {
      failure ??= error
    }
    end()
  }

  const check = (): void => {
    if (failure !== null) throw failure
  }

  const flush = async (): Promise<void> => {
    check()
    collector.queue.flush()
    // Some requests may wait for a running sync.
    if (pending > 0)
      await new Promise<void>(resolve => {
        onIdle = resolve
      })
    check()
  }

  const advanceTo = async (at: number): Promise<void> => {
    setNow(at)
    if (!started) collector.restore()
    started = true
    if (at >= saltsDue) {
      await flush()
      if (!attempt(() => collector.salts.destroyExpired(at))) throw new ExpectedError(writeError)
      const today = zone.dayOf(at)
      const soon = zone.startOf(today) + graceSeconds
      saltsDue = at < soon ? soon : zone.startOf(addDays(today, 1))
    }
    if (at >= pruneDue) {
      await flush()
      collector.prune()
      collector.forgetRecent()
      pruneDue = at + pruneInterval
    }
  }

  return {
    flush,
    take: async (incoming, body) => {
      await advanceTo(incoming.at)
      if (pending >= maxWaiting) await flush()
      void collect(incoming, body)
      // A refusal that needs no commit is known then.
      await null
      check()
    },
  }
}
