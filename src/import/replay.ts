import type { Collector } from '../collection/collector.ts'
import { busyTimeout } from '../database/connect.ts'
import type { Body } from '../collection/ingest/values.ts'
import type { Incoming, Outcome, Callbacks } from '../collection/record.ts'
import { addDays, type Zone } from '../lib/time.ts'

/** A group could not be written; everything before it is stored. */
export class ReplayStorageError extends Error {
  override name = 'CommandError'
}

export type ReplayOptions = {
  collector: Collector
  zone: Zone
  /** Sets the collector's clock. */
  setNow: (at: number) => void
  /** Counts a request's outcome. */
  tally: (outcome: Outcome) => void
  /** The error message for a write that failed. */
  unwritable: string
}

/**
 * Sends past requests through the pipeline. `flush` commits those that wait. After a failed write everything rejects:
 * later requests must not count as stored.
 */
export type Replay = {
  take: (incoming: Incoming, body: Body) => Promise<void>
  flush: () => Promise<void>
  /** Flushes after the last request, and writes the visits' latest figures. */
  finish: () => Promise<void>
}

const graceSeconds = 30 * 60
const pruneInterval = 6 * 3600

/** Requests must come in order; what the service does by the clock happens here by their times. */
export const createReplay = ({ collector, zone, setNow, tally, unwritable }: ReplayOptions): Replay => {
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

  const callbacks: Callbacks = {
    onDone: outcome => {
      if (outcome === 'storage') failure ??= new ReplayStorageError(unwritable)
      else tally(outcome)
      end()
    },
    onError: error => {
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
    // Some may wait for a sync that has begun.
    if (pending > 0)
      await new Promise<void>(resolve => {
        onIdle = resolve
      })
    check()
  }

  const passTime = async (at: number): Promise<void> => {
    setNow(at)
    if (!started) collector.restore()
    started = true
    if (at >= saltsDue) {
      await flush()
      collector.salts.destroyExpired(at)
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
    finish: async () => {
      await flush()
      collector.queue.finish(busyTimeout)
    },
    take: async (incoming, body) => {
      await passTime(incoming.at)
      pending += 1
      try {
        collector.collect(incoming, body, callbacks)
      } catch (error) {
        callbacks.onError(error)
      }
      check()
    },
  }
}
