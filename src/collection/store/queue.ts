import { busyTimeout } from '../../database/connect.ts'
import type { Histogram } from '../../metrics/histogram.ts'
import type { Day } from '../../lib/time.ts'
import { createGroupAnswers, type GroupAnswerOptions } from './group-answers.ts'
import { busyRetry, type Pending } from './group-commit.ts'
import type { VisitRecord, Callbacks } from '../record.ts'

const maxPending = 20_000
/** The largest group for which waiting for the disk costs less than handing the sync to another thread. */
const inlineSyncMax = 4
/** How many turns of the event loop a group waits at most while each brings more records. */
const maxTurns = 4

/**
 * Group commit: records that come in during a sync, or in the same few turns of the event loop, go into the next commit
 * together. There is no timer, and a single record is committed at once.
 */
export type Queue = {
  /** Calls back when the record is synced to the file; 'storage' if it could not be written. */
  add: (record: VisitRecord, day: Day, callbacks: Callbacks) => void
  /** Commits and syncs all that waits, now. */
  flush: () => void
  /** Writes what commits left for later; waits that many milliseconds for another process that has the file locked. */
  finish: (busyTimeout: number) => void
  depth: () => number
  /** Whether the file has all that was committed, with nothing left for later. */
  isWritten: () => boolean
  /** How long commits took since the start, in seconds. */
  commits: Histogram
  /** How many commits failed since the start. */
  failures: () => number
  /** What kept the last commit from the file; null once one was written. */
  problem: () => unknown
  /** Does not wait: what was not flushed is lost. */
  close: () => void
}

export type QueueOptions = Omit<GroupAnswerOptions, 'onBusy'>

/** Does something once a turn of the event loop has brought no more of what is counted. */
const whenInputIdle = (count: () => number, work: () => void, turns = maxTurns): void => {
  const before = count()
  setImmediate(() => {
    if (turns > 1 && count() > before) whenInputIdle(count, work, turns - 1)
    else work()
  })
}

export const createQueue = (options: QueueOptions): Queue => {
  let pending: Pending[] = []
  /** The group that is about to be committed; a flush may come before it. */
  let scheduled: object | null = null
  let isSyncing = false

  const takePending = (): Pending[] => {
    scheduled = null
    const group = pending
    pending = []
    return group
  }

  /** Records that waited too long for another process are refused, the others wait for the next try. */
  const postpone = (group: readonly Pending[], error: unknown): void => {
    const now = performance.now()
    const late = group.filter(({ until }) => until <= now)
    pending = [...group.filter(({ until }) => until > now), ...pending]
    if (late.length > 0) answers.fail(late, error)
    schedule(work => setTimeout(work, busyRetry))
  }

  const answers = createGroupAnswers({ ...options, onBusy: postpone })

  const commitThenSync = (): void => {
    const group = takePending()
    const outcomes = answers.commitUnsynced(group)
    if (outcomes === null) return schedule()
    isSyncing = true
    answers.answerOnceSynced(group, outcomes, () => {
      isSyncing = false
      if (!answers.isAccepting()) answers.refuse(takePending())
      schedule()
    })
  }

  const schedule = (begin: (work: () => void) => unknown = setImmediate): void => {
    if (scheduled !== null || isSyncing || pending.length === 0) return
    const group = (scheduled = {})
    const isFlushed = (): boolean => group !== scheduled
    begin(() => {
      if (isFlushed()) return
      if (pending.length <= inlineSyncMax) answers.commitSynced(takePending(), 0)
      else
        whenInputIdle(
          () => pending.length,
          () => isFlushed() || commitThenSync(),
        )
    })
  }

  return {
    add: (record, day, callbacks) => {
      const one = { record, day, until: performance.now() + busyTimeout, callbacks }
      if (pending.length >= maxPending || !answers.isAccepting()) return answers.refuse([one])
      pending.push(one)
      schedule()
    },
    flush: () => answers.commitSynced(takePending(), busyTimeout),
    finish: answers.finish,
    depth: () => pending.length,
    isWritten: () => pending.length === 0 && answers.isWritten(),
    commits: answers.durations,
    failures: answers.failures,
    problem: answers.problem,
    close: answers.close,
  }
}
