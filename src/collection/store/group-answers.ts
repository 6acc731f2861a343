import { errorText } from '../../lib/errors.ts'
import { isCode, isStorageError } from '../../database/errors.ts'
import { createLogSync, type LogSyncOptions } from '../../database/log-sync.ts'
import { withBusyTimeout } from '../../database/busy-timeout.ts'
import { createGroupCommit, type CommitOptions, type GroupCommit, type Pending } from './group-commit.ts'
import type { Outcome } from '../record.ts'

export type GroupAnswerOptions = CommitOptions &
  Pick<LogSyncOptions, 'syncFile' | 'retryAfter' | 'onRecover'> & {
    /** Another process has the file locked: the group is not answered yet. */
    onBusy: (group: readonly Pending[], error: unknown) => void
  }

/** Commits groups and answers their records: none is accepted before it is synced to the file. */
export type GroupAnswers = Pick<GroupCommit, 'finish' | 'isWritten' | 'durations'> & {
  /** Commits and syncs in one step; waits that many milliseconds for another process that has the file locked. */
  commitSynced: (group: readonly Pending[], busyTimeout: number) => void
  /** Commits without a sync; null if that failed: then the records are answered, or wait again. */
  commitUnsynced: (group: readonly Pending[]) => Outcome[] | null
  /** Has another thread sync the log, then answers. */
  answerOnceSynced: (group: readonly Pending[], outcomes: readonly Outcome[], onDone: () => void) => void
  /** Answers a group that cannot be written. */
  fail: (group: readonly Pending[], error: unknown) => void
  /** Answers a group that is not tried. */
  refuse: (group: readonly Pending[]) => void
  /** False from a failed sync until a checkpoint has succeeded. */
  isAccepting: () => boolean
  failures: () => number
  problem: () => unknown
  close: () => void
}

const answer = (group: readonly Pending[], outcomes: readonly Outcome[]): void =>
  group.forEach(({ callbacks }, index) => callbacks.onDone(outcomes[index] ?? 'storage'))

const createWatchedLog = (options: GroupAnswerOptions, setProblem: (problem: unknown) => void) =>
  createLogSync(options.db, {
    ...options,
    onFailure: error => {
      setProblem(error)
      options.onError(
        new Error(`the log cannot be synced (${errorText(error)}): hits are refused until a checkpoint succeeds`),
      )
    },
  })

export const createGroupAnswers = (options: GroupAnswerOptions): GroupAnswers => {
  const { db, ledger } = options
  const groups = createGroupCommit(options)
  let failures = 0
  let problem: unknown = null
  const log = createWatchedLog(options, error => {
    problem = error
  })

  const refuse = (group: readonly Pending[]): void => {
    for (const { day } of group) ledger.count(day, 'storage')
    answer(group, [])
  }

  const fail = (group: readonly Pending[], error: unknown): void => {
    options.onError(error)
    if (isStorageError(error)) {
      problem = error
      return refuse(group)
    }
    for (const { day, callbacks } of group) {
      ledger.count(day, 'storage')
      callbacks.onError(error)
    }
  }

  /** A group that fails by a bug in one of its records is committed one by one, so that the others are kept. */
  const handleFailure = (group: readonly Pending[], error: unknown, busyTimeout: number): void => {
    if (busyTimeout === 0 && isCode(error, 'SQLITE_BUSY')) return options.onBusy(group, error)
    failures += 1
    if (isStorageError(error) || group.length === 1) fail(group, error)
    else for (const one of group) commitSynced([one], busyTimeout)
  }

  const tryCommit = (group: readonly Pending[], busyTimeout: number, run = (commit: () => Outcome[]) => commit()) => {
    try {
      const outcomes = withBusyTimeout(db, busyTimeout, () => run(() => groups.commit(group)))
      problem = null
      return outcomes
    } catch (error) {
      handleFailure(group, error, busyTimeout)
      return null
    }
  }

  const commitSynced = (group: readonly Pending[], busyTimeout: number): void => {
    if (group.length === 0) return
    const outcomes = tryCommit(group, busyTimeout)
    if (outcomes !== null) answer(group, outcomes)
  }

  return {
    finish: groups.finish,
    isWritten: groups.isWritten,
    durations: groups.durations,
    commitSynced,
    commitUnsynced: group => tryCommit(group, 0, log.unsynced),
    answerOnceSynced: (group, outcomes, onDone) =>
      log.sync(error => {
        // What the disk did not take was committed all the same: when it is sent again, it is known by its id.
        answer(group, error === null ? outcomes : [])
        onDone()
      }),
    fail,
    refuse,
    isAccepting: log.isTrusted,
    failures: () => failures,
    problem: () => problem,
    close: log.close,
  }
}
