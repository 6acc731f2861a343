import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { createHistogram, type Histogram } from '../histogram.ts'
import type { Changes } from '../rollup/changes.ts'
import type { Day } from '../time.ts'
import type { Ledger } from './ledger.ts'
import type { Outcome, VisitRecord } from './record.ts'
import type { Writer } from './writer.ts'

type Waiting = { record: VisitRecord, day: Day, settle: (outcome: Outcome) => void, fail: (error: unknown) => void }

const longest = 20_000

/**
 * Group commit: records wait for the commit under way, then go into the next one together. No timer is needed:
 * under load the commits make the groups, and a lone record is committed at once.
 */
export type Queue = {
  /** Resolves when the record is synced to the file; with 'storage' if it could not be written. */
  add: (record: VisitRecord, day: Day) => Promise<Outcome>
  /** Commits all that waits, now. */
  flush: () => void
  /** Writes what commits have left for later. */
  finish: () => void
  depth: () => number
  /** How long commits took, since the start, and how many failed. */
  commits: Histogram
  failures: () => number
}

/** Runs work in one transaction that takes the write lock at its beginning. */
const inTransaction = (db: Db, work: () => void): void => db.transaction(work).immediate()

export const createQueue = (options: {
  db: Db, writer: Writer, ledger: Ledger, now: () => number
  /** Written with each group, in its transaction. */
  alongside: () => void
  /** First of all in each transaction: takes up what other processes have changed. */
  follow: () => void
  /** What a commit has changed. */
  committed: (changes: Changes) => void
  failed: (error: unknown) => void
}): Queue => {
  const { db, writer, ledger } = options
  let waiting: Waiting[] = []
  let scheduled = false
  let stale = false
  let failures = 0
  const commits = createHistogram()

  /** One commit for all; if it fails, nothing of it counts, and memory is read anew from the file before the next. */
  const commit = (batch: readonly Waiting[]): Outcome[] => {
    if (stale) writer.restore(options.now())
    stale = true
    const started = performance.now()
    const outcomes: Outcome[] = []
    inTransaction(db, () => {
      options.follow()
      for (const { record } of batch) outcomes.push(writer.add(record))
      writer.finish(batch.length, options.now())
      options.alongside()
      ledger.write(db, outcomes.map((outcome, index) => ({ outcome, day: batch[index]?.day ?? 0 })))
    })
    commits.observe((performance.now() - started) / 1000)
    ledger.settle()
    stale = false
    options.committed(writer.takeChanges())
    return outcomes
  }

  /** Commits a group; one that fails by a bug in one of its records is tried again one by one, so that the others stay. */
  const settle = (batch: readonly Waiting[]): void => {
    try {
      const outcomes = commit(batch)
      batch.forEach(({ settle }, index) => settle(outcomes[index] ?? 'storage'))
    } catch (error) {
      failures++
      const storage = isStorageError(error)
      if (!storage && batch.length > 1) {
        batch.forEach(one => settle([one]))
        return
      }
      options.failed(error)
      batch.forEach(({ day, settle, fail }) => {
        ledger.count(day, 'storage')
        if (storage) settle('storage')
        else fail(error)
      })
    }
  }

  const flush = (): void => {
    scheduled = false
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    settle(batch)
  }

  const finish = (): void => {
    if (stale || !writer.isBehind()) return
    stale = true
    try {
      inTransaction(db, writer.finishAll)
      stale = false
      options.committed(writer.takeChanges())
    } catch (error) {
      // Nothing is lost: it is counted again before the next commit.
      options.failed(error)
    }
  }

  return {
    add: (record, day) => new Promise((resolve, reject) => {
      if (waiting.length >= longest) {
        ledger.count(day, 'storage')
        resolve('storage')
        return
      }
      waiting.push({ record, day, settle: resolve, fail: reject })
      if (scheduled) return
      scheduled = true
      setImmediate(flush)
    }),
    flush,
    finish,
    depth: () => waiting.length,
    commits,
    failures: () => failures,
  }
}
