import type { Db } from '../../database/query.ts'
import { createHistogram, type Histogram } from '../../lib/histogram.ts'
import type { Changes } from '../../rollup/changes.ts'
import type { Day } from '../../lib/time.ts'
import type { Ledger } from './ledger.ts'
import type { Outcome, VisitRecord } from '../record.ts'
import type { Writer } from './writer.ts'

/** A record to be committed; refused at `until` if another process still has the file locked. */
export type Pending = {
  record: VisitRecord
  day: Day
  until: number
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

export type CommitOptions = {
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
export const busyRetry = 5

/** Writes groups of records, each in one transaction. */
export type GroupCommit = {
  /** Commits a group in one transaction. If it throws, nothing was written. */
  commit: (group: readonly Pending[]) => Outcome[]
  /** Durations of commits in seconds. */
  durations: Histogram
}

export const createGroupCommit = (options: CommitOptions): GroupCommit => {
  const { db, writer, ledger, now } = options
  const transaction = db.transaction((work: () => void) => work())
  const durations = createHistogram()
  /** The last transaction failed: memory is restored from the file before the next one. */
  let isStale = false

  /** One transaction, which takes the write lock at its beginning. */
  const transact = (work: () => void): void => {
    transaction.immediate(() => {
      if (isStale) writer.restore(now())
      isStale = true
      work()
    })
    isStale = false
  }

  /** What is committed stays committed: a bug in its follow-up must not have the group tried again. */
  const reportCommit = (): void => {
    const changes = writer.settle()
    try {
      options.onCommit(changes)
    } catch (error) {
      options.onError(error)
    }
  }

  const commit = (group: readonly Pending[]): Outcome[] => {
    options.check()
    const started = performance.now()
    let outcomes: Outcome[] = []
    transact(() => {
      options.follow()
      outcomes = group.map(({ record }) => writer.add(record))
      writer.finish()
      options.alongside()
      ledger.write(
        db,
        group.map(({ day }, index) => ({ day, outcome: outcomes[index] ?? 'storage' })),
      )
    })
    durations.observe((performance.now() - started) / 1000)
    ledger.settle()
    reportCommit()
    return outcomes
  }

  return { commit, durations }
}
