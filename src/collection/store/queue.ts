import { isCode, isStorageError } from '../../database/errors.ts'
import { createLogSync, type LogSyncOptions } from '../../database/log-sync.ts'
import { busyTimeout, type Db, withBusyTimeout } from '../../database/query.ts'
import { errorText } from '../../lib/errors.ts'
import { createHistogram, type Histogram } from '../../lib/histogram.ts'
import type { Day } from '../../lib/time.ts'
import type { Changes } from '../../rollup/changes.ts'
import type { Outcome, VisitRecord } from '../record.ts'
import type { Ledger } from './ledger.ts'
import type { Writer } from './writer.ts'

/** A record to be committed; refused at `until` if another process still has the file locked. */
type Pending = {
  record: VisitRecord
  day: Day
  until: number
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

type CommitOptions = {
  db: Db
  writer: Pick<Writer, 'add' | 'finish' | 'settle' | 'restore'>
  ledger: Ledger
  now: () => number
  /** Runs in the transaction of each group. */
  alongside: () => void
  /** Runs before each commit; throws if the database file was moved or deleted. */
  check: () => void
  /** Runs first in each transaction: picks up what other processes have changed. */
  follow: () => void
  onCommit: (changes: Changes) => void
  onError: (error: unknown) => void
}

/** Milliseconds between attempts while another process has the file locked. */
const busyRetry = 5

/** Writes groups of records, each in one transaction. */
const createGroupCommit = ({ db, writer, ledger, now, ...options }: CommitOptions) => {
  const transaction = db.transaction((work: () => void) => work())
  /** Durations of commits in seconds. */
  const durations = createHistogram()
  /** The last transaction failed: memory is restored from the file before the next one. */
  let isStale = false

  /** What is committed stays committed: a bug in its follow-up must not have the group tried again. */
  const reportCommit = (): void => {
    const changes = writer.settle()
    try {
      options.onCommit(changes)
    } catch (error) {
      options.onError(error)
    }
  }

  /** Commits a group; takes the write lock at the beginning. If it throws, nothing was written. */
  const commit = (group: readonly Pending[]): Outcome[] => {
    options.check()
    const started = performance.now()
    let outcomes: Outcome[] = []
    transaction.immediate(() => {
      if (isStale) writer.restore(now())
      isStale = true
      options.follow()
      outcomes = group.map(({ record }) => writer.add(record))
      writer.finish()
      options.alongside()
      ledger.write(
        db,
        group.map(({ day }, index) => ({ day, outcome: outcomes[index] ?? 'storage' })),
      )
    })
    isStale = false
    durations.observe((performance.now() - started) / 1000)
    ledger.settle()
    reportCommit()
    return outcomes
  }

  return { commit, durations }
}

const maxPending = 20_000

/**
 * Group commit: records that arrive during a sync, or within the same turn of the event loop, are committed together.
 * There is no timer, and a single record is committed at once.
 */
export type Queue = {
  /** Resolves when the record is synced to the file; with 'storage' if it could not be written. Rejects for a bug. */
  add: (record: VisitRecord, day: Day) => Promise<Outcome>
  /** Commits and syncs all pending records now. */
  flush: () => void
  depth: () => number
  /** Durations of commits since the start, in seconds. */
  commits: Histogram
  /** Failed commits since the start. */
  failures: () => number
  /** False from a failed sync until the file has been written as a whole: records are refused meanwhile. */
  isSynced: () => boolean
  /** Why the last commit failed; null after a successful one. */
  problem: () => unknown
  /** Does not wait: what was not flushed is lost. */
  close: () => void
}

export type QueueOptions = CommitOptions & Pick<LogSyncOptions, 'syncFile' | 'retryAfter' | 'onRecover'>

const respond = (group: readonly Pending[], outcomes: readonly Outcome[]): void =>
  group.forEach(({ resolve }, index) => resolve(outcomes[index] ?? 'storage'))

/**
 * Commits groups and responds to their records; none is accepted before it is synced to the file.
 * @param onBusy called when another process has the file locked: the group has had no response yet
 */
const createCommitter = (options: QueueOptions, onBusy: (group: readonly Pending[], error: unknown) => void) => {
  const { db, ledger } = options
  const groups = createGroupCommit(options)
  let failures = 0
  let problem: unknown = null
  const log = createLogSync(db, {
    ...options,
    onFailure: error => {
      problem = error
      options.onError(
        new Error(`the log cannot be synced (${errorText(error)}): hits are refused until a checkpoint succeeds`),
      )
    },
  })

  /** Refuses records that are not or cannot be written. */
  const refuse = (group: readonly Pending[]): void => {
    for (const { day } of group) ledger.count(day, 'storage')
    respond(group, [])
  }

  const fail = (group: readonly Pending[], error: unknown): void => {
    options.onError(error)
    if (isStorageError(error)) {
      problem = error
      return refuse(group)
    }
    for (const { day, reject } of group) {
      ledger.count(day, 'storage')
      reject(error)
    }
  }

  /** A group that fails because of a bug in one record is retried record by record, so that the others are kept. */
  const handleFailure = (group: readonly Pending[], error: unknown, timeout: number): void => {
    if (timeout === 0 && isCode(error, 'SQLITE_BUSY')) return onBusy(group, error)
    failures += 1
    if (isStorageError(error) || group.length === 1) fail(group, error)
    else for (const pending of group) commitSynced([pending], timeout)
  }

  const tryCommit = (group: readonly Pending[], timeout: number, run = (commit: () => Outcome[]) => commit()) => {
    try {
      const outcomes = withBusyTimeout(db, timeout, () => run(() => groups.commit(group)))
      problem = null
      return outcomes
    } catch (error) {
      handleFailure(group, error, timeout)
      return null
    }
  }

  /** Commits and syncs on this thread; waits up to `timeout` milliseconds while another process has the file locked. */
  const commitSynced = (group: readonly Pending[], timeout: number): void => {
    if (group.length === 0) return
    const outcomes = tryCommit(group, timeout)
    if (outcomes !== null) respond(group, outcomes)
  }

  return {
    groups,
    log,
    refuse,
    fail,
    commitSynced,
    /** Commits without a sync; null if that failed: then the records were refused, or are pending again. */
    commitUnsynced: (group: readonly Pending[]) => tryCommit(group, 0, log.unsynced),
    /** Responds after another thread has synced the log. */
    respondOnceSynced: (group: readonly Pending[], outcomes: readonly Outcome[], onDone: () => void): void =>
      log.sync(error => {
        // After a failed sync the records are committed all the same: if sent again, their ids identify them.
        respond(group, error === null ? outcomes : [])
        onDone()
      }),
    failures: () => failures,
    problem: () => problem,
  }
}

export const createQueue = (options: QueueOptions): Queue => {
  let pending: Pending[] = []
  let isScheduled = false
  let isSyncing = false

  const takePending = (): Pending[] => {
    const group = pending
    pending = []
    return group
  }

  /** Refuses records that have waited too long for another process; the others stay pending. */
  const postpone = (group: readonly Pending[], error: unknown): void => {
    const now = performance.now()
    const expired = group.filter(({ until }) => until <= now)
    pending = [...group.filter(({ until }) => until > now), ...pending]
    if (expired.length > 0) committer.fail(expired, error)
    schedule(work => setTimeout(work, busyRetry))
  }

  const committer = createCommitter(options, postpone)
  const { groups, log } = committer

  const commitThenSync = (): void => {
    const group = takePending()
    const outcomes = committer.commitUnsynced(group)
    if (outcomes === null) return schedule()
    isSyncing = true
    committer.respondOnceSynced(group, outcomes, () => {
      isSyncing = false
      if (!log.isTrusted()) committer.refuse(takePending())
      schedule()
    })
  }

  const schedule = (defer: (work: () => void) => unknown = setImmediate): void => {
    if (isScheduled || isSyncing || pending.length === 0) return
    isScheduled = true
    defer(() => {
      isScheduled = false
      // A flush may have taken the records meanwhile.
      if (pending.length > 0) commitThenSync()
    })
  }

  return {
    add: (record, day) =>
      new Promise((resolve, reject) => {
        const entry = { record, day, until: performance.now() + busyTimeout, resolve, reject }
        if (pending.length >= maxPending || !log.isTrusted()) return committer.refuse([entry])
        pending.push(entry)
        schedule()
      }),
    flush: () => committer.commitSynced(takePending(), busyTimeout),
    depth: () => pending.length,
    commits: groups.durations,
    failures: committer.failures,
    isSynced: log.isTrusted,
    problem: committer.problem,
    close: log.close,
  }
}
