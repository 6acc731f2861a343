import { isCode, isStorageError } from '../database/errors.ts'
import type { SyncFile } from '../database/log-sync.ts'
import type { Db } from '../database/query.ts'
import { openSaltFile, saltsInMemory } from '../database/salt-file.ts'
import { watchErasures } from '../database/watch.ts'
import type { Zone } from '../lib/time.ts'
import { type Changes, noChanges } from '../rollup/changes.ts'
import { countAll, type SuspectChoice } from '../settings/suspects.ts'
import { createEnrich, type Enrich, type EnrichOptions } from './enrich/enrich.ts'
import { createSalts, firstDayWithSalt, type Salts } from './enrich/salts.ts'
import { type ClientWatch, createClientWatch } from './ingest/clients.ts'
import { parse } from './ingest/fields.ts'
import { createRules, foreignHost, type RuleOptions, refuse } from './ingest/gates.ts'
import { createRuleFinder, type RuleFinderOptions } from './ingest/refusal-rules.ts'
import { type Body, type InvalidFields, isInvalid, isVisitorId } from './ingest/values.ts'
import type { Incoming, Outcome, Result, VisitRecord } from './record.ts'
import { forgetVisitor } from './store/forget.ts'
import { createLedger, type Ledger } from './store/ledger.ts'
import { type Numbering, numberingOf } from './store/numbering.ts'
import { createQueue, type Queue } from './store/queue.ts'
import type { ActiveVisit } from './store/sessions.ts'
import { createWriter } from './store/writer.ts'

export type CollectorOptions = EnrichOptions &
  RuleOptions &
  RuleFinderOptions & {
    db: Db
    zone: Zone
    /** Seconds since 1970. */
    now: () => number
    /** Of an import beside the service, which has the salts and the numbers of the file; its salts are in memory. */
    beside?: Numbering
    /** Query parameters that belong to the page, sorted. */
    keepQuery: readonly string[]
    /** What is done with visits that look automated. */
    suspects?: () => SuspectChoice
    /** Runs in the transaction of each group, to save the progress of an import. */
    alongside?: () => void
    /** Runs before each commit; throws if the database file was moved or deleted. */
    check?: () => void
    /** Runs after each commit, outside any transaction. */
    onCommit: (changes: Changes) => void
    onError: (error: unknown) => void
    /** Hits are accepted again after a failed sync. */
    onRecover?: () => void
    syncFile?: SyncFile | undefined
    /** Milliseconds between attempts to checkpoint after a failed sync. */
    retryAfter?: number | undefined
  }

export type Collector = {
  /** Passes a body through parsing, gates, enrichment and commit. Rejects only for a bug. */
  collect: (incoming: Incoming, body: Body) => Promise<Result>
  /** Erases the data of a browser that consented to a persistent id. */
  forget: (visitorId: string) => void
  /** Picks up erasures by other processes: reloads current visits, and schedules recalculation and truncation. */
  followErasures: () => void
  /** Detects proxies that hide the visitors' addresses. */
  clients: ClientWatch
  ledger: Ledger
  queue: Queue
  salts: Salts
  /** Visits with a view or engagement since a time; not those that a clock which was ahead dated later than now. */
  activeSince: (at: number) => ActiveVisit[]
  /** Whether a visit that any rule fired for has ended in the last hour and a half: its end tells more. */
  hasEndedSuspects: () => boolean
  /** Loads current visits from the file. */
  restore: () => void
  prune: () => void
  /** Deletes ids used to detect duplicates after 48 hours. */
  forgetRecent: () => void
}

/** Enriches; returns null if the salt of a new day cannot be written. */
const createGuardedEnrich = (
  enrich: Enrich,
  { now, onError }: Pick<CollectorOptions, 'now' | 'onError'>,
): ((...args: Parameters<Enrich>) => VisitRecord | null) => {
  let refusedAt = 0
  return (incoming, parsed) => {
    // A locked file costs the whole busy timeout: do not wait again for each pending request of the same second.
    if (incoming.at === refusedAt) return null
    const before = now()
    try {
      return enrich(incoming, parsed)
    } catch (error) {
      if (!isStorageError(error)) throw error
      onError(error)
      if (isCode(error, 'SQLITE_BUSY') && now() > before) refusedAt = now()
      return null
    }
  }
}

type CollectorParts = Pick<Collector, 'ledger' | 'queue' | 'salts' | 'clients'>

/** The path of a request after its body was read: parse → gates → enrich → queue, which commits. */
const createCollect = (
  options: CollectorOptions,
  { ledger, queue, salts, clients }: CollectorParts,
): Collector['collect'] => {
  const { zone, keepQuery } = options
  const rules = createRules(options)
  const findRule = createRuleFinder(options)
  const hasRules = (): boolean => options.rules !== undefined && options.rules.list.length > 0
  const enrich = createGuardedEnrich(createEnrich(options, salts), options)

  return async (incoming, body) => {
    const day = zone.dayOf(incoming.at)
    const refused = (outcome: Outcome, invalid?: InvalidFields): Result => {
      ledger.count(day, outcome)
      return invalid === undefined ? { outcome } : { outcome, invalid }
    }

    const parsed = parse(incoming, body, keepQuery)
    if (isInvalid(parsed)) return refused('invalid', parsed)

    const refusal = refuse(incoming, parsed.fields, rules())
    if (refusal === 'foreign_host') ledger.countForeignHost(day, foreignHost(incoming, parsed.fields.host, rules()))
    if (refusal !== null) return refused(refusal)
    const rule = hasRules() ? findRule(incoming, parsed.fields) : null
    if (rule !== null) {
      ledger.countRule(day, rule)
      return { outcome: 'rule' }
    }
    if (parsed.kind === 'hit') clients.add(incoming.address)

    const record = enrich(incoming, parsed)
    if (record === null) return refused('storage')

    ledger.trim(day, parsed.fields.trimmed)
    return { outcome: await queue.add(record, day) }
  }
}

/** Collects request bodies into the database. */
export const createCollector = (options: CollectorOptions): Collector => {
  const { db, zone, now, beside, onCommit, onError } = options
  const ledger = createLedger(now)
  const salts = createSalts(db, zone, 'site', beside === undefined ? openSaltFile(db) : saltsInMemory())
  const writer = createWriter(db, zone, {
    isLive: options.isLive ?? false,
    suspects: options.suspects ?? countAll,
    numbering: beside ?? numberingOf(db),
  })
  const clients = createClientWatch()
  const hasErasures = watchErasures(db)

  const followErasures = (): void => {
    if (!hasErasures()) return
    writer.restore(now())
    salts.truncateLater()
    onCommit({ ...noChanges(), whole: true })
  }
  const destroyExpired = (at: number): number => {
    const destroyed = salts.destroyExpired(at)
    if (destroyed > 0) writer.forgetHashesBefore(firstDayWithSalt(zone, at))
    return destroyed
  }
  const forget = (visitorId: string): void => {
    if (options.settings().consent_mode !== 'full' || !isVisitorId(visitorId)) return
    const hash = salts.existingLasting(visitorId)
    const forgotten = hash === null ? null : forgetVisitor(db, zone, writer.sessions, hash)
    if (forgotten === null) return
    if (!forgotten.truncated) salts.truncateLater()
    writer.forgetVisitors()
    onCommit({ ...noChanges(), whole: true })
  }

  const queue = createQueue({
    db,
    writer,
    ledger,
    now,
    follow: followErasures,
    alongside: options.alongside ?? (() => {}),
    check: options.check ?? (() => {}),
    onCommit,
    onError,
    onRecover: options.onRecover ?? (() => {}),
    syncFile: options.syncFile,
    retryAfter: options.retryAfter,
  })
  const steps: CollectorParts = { ledger, queue, clients, salts: { ...salts, destroyExpired } }
  return {
    ...steps,
    collect: createCollect(options, steps),
    forget,
    followErasures,
    activeSince: at => writer.sessions.activeBetween(at, now()),
    hasEndedSuspects: () => writer.sessions.hasEndedSuspects(now()),
    restore: () => writer.restore(now()),
    prune: () => {
      writer.sessions.prune(now())
      if (beside === undefined) clients.save(db)
    },
    forgetRecent: () => writer.forgetRecent(now()),
  }
}
