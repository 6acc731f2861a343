import { isStorageError } from '../database/errors.ts'
import { createLogSync } from '../database/log-sync.ts'
import type { Db } from '../database/query.ts'
import { createHistogram, type Histogram } from '../histogram.ts'
import type { Changes } from '../rollup/changes.ts'
import type { Day } from '../time.ts'
import type { Ledger } from './ledger.ts'
import type { Outcome, VisitRecord } from './record.ts'
import type { Writer } from './writer.ts'

type Waiting = { record: VisitRecord, day: Day, settle: (outcome: Outcome) => void, fail: (error: unknown) => void }

const longest = 20_000

/** The largest group for which waiting for the disk costs less than handing the sync to another thread. */
const small = 4

/**
 * Group commit: records wait for the sync under way, then go into the next commit together. No timer is needed:
 * under load the syncs make the groups, and a lone record is committed at once. While the disk works, the next
 * requests are read.
 */
export type Queue = {
  /** Resolves when the record is synced to the file; with 'storage' if it could not be written. */
  add: (record: VisitRecord, day: Day) => Promise<Outcome>
  /** Commits all that waits, and syncs it, now. */
  flush: () => void
  /** Writes what commits have left for later. */
  finish: () => void
  depth: () => number
  /** Waits for nothing: what was not flushed is lost. */
  close: () => void
  /** How long commits took, since the start, and how many failed. */
  commits: Histogram
  failures: () => number
}

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
  let syncing = false
  let stale = false
  const log = createLogSync(db)
  const transaction = db.transaction((work: () => void) => work())
  /** Runs work in one transaction that takes the write lock at its beginning. */
  const inTransaction = (work: () => void): void => transaction.immediate(work)
  let failures = 0
  const commits = createHistogram()

  /** One commit for all; if it fails, nothing of it counts, and memory is read anew from the file before the next. */
  const commit = (batch: readonly Waiting[]): Outcome[] => {
    if (stale) writer.restore(options.now())
    stale = true
    const started = performance.now()
    const outcomes: Outcome[] = []
    inTransaction(() => {
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

  const refuse = (batch: readonly Waiting[], error: unknown): void => {
    const storage = isStorageError(error)
    options.failed(error)
    batch.forEach(({ day, settle, fail }) => {
      ledger.count(day, 'storage')
      if (storage) settle('storage')
      else fail(error)
    })
  }

  const answer = (batch: readonly Waiting[], outcomes: readonly Outcome[]): void =>
    batch.forEach(({ settle }, index) => settle(outcomes[index] ?? 'storage'))

  /**
   * Commits a group; one that fails by a bug in one of its records is tried again one by one, so that the others stay.
   * @returns the outcomes if `run` has committed it, else null: all are answered
   */
  const tryCommit = (batch: readonly Waiting[], run: (work: () => Outcome[]) => Outcome[]): Outcome[] | null => {
    try {
      return run(() => commit(batch))
    } catch (error) {
      failures++
      if (isStorageError(error) || batch.length === 1) refuse(batch, error)
      else batch.forEach(one => settle([one]))
      return null
    }
  }

  const settle = (batch: readonly Waiting[]): void => {
    const outcomes = tryCommit(batch, work => work())
    if (outcomes !== null) answer(batch, outcomes)
  }

  /** What the disk did not take was committed all the same; sent again, it is known by its id. */
  const settleLater = (batch: readonly Waiting[]): void => {
    const outcomes = tryCommit(batch, log.unsynced)
    if (outcomes === null) return schedule()
    syncing = true
    log.sync(error => {
      syncing = false
      if (error === null) answer(batch, outcomes)
      else {
        options.failed(error)
        answer(batch, [])
      }
      schedule()
    })
  }

  const take = (): Waiting[] => {
    scheduled = false
    const batch = waiting
    waiting = []
    return batch
  }

  const flush = (): void => {
    const batch = take()
    if (batch.length > 0) settle(batch)
  }

  const schedule = (): void => {
    if (scheduled || syncing || waiting.length === 0) return
    scheduled = true
    setImmediate(() => {
      if (waiting.length <= small) flush()
      else settleLater(take())
    })
  }

  const finish = (): void => {
    if (stale || !writer.isBehind()) return
    stale = true
    try {
      inTransaction(writer.finishAll)
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
      schedule()
    }),
    flush,
    finish,
    depth: () => waiting.length,
    close: log.close,
    commits,
    failures: () => failures,
  }
}
