// The real collector on a real file with a clock of the test, and the real reports on top; only the port is left out.
import { join } from 'node:path'
import { createCollector } from '../../src/collection/collector.ts'
import type { Kind, Result } from '../../src/collection/record.ts'
import type { SyncFile } from '../../src/database/log-sync.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { parseAddress } from '../../src/lib/address/list.ts'
import { createZone, type Day } from '../../src/lib/time.ts'
import { createFollower } from '../../src/maintenance/follow.ts'
import { runStatements } from '../../src/reports/answer.ts'
import { dimensions } from '../../src/reports/of/dimensions.ts'
import { pages } from '../../src/reports/of/pages.ts'
import { summary } from '../../src/reports/of/summary.ts'
import type { ReadOptions } from '../../src/reports/pool.ts'
import type { Report } from '../../src/reports/report.ts'
import { runReport } from '../../src/reports/run.ts'
import { addChanges, noChanges } from '../../src/rollup/changes.ts'
import { rebuildDay } from '../../src/rollup/rebuild.ts'
import { loadSettings, type Settings } from '../../src/settings/settings.ts'
import { statement } from '../support/statements.ts'

export type Sent = {
  kind: Kind
  address: string | null
  userAgent: string
  headers?: Record<string, string>
  body: Record<string, unknown>
}

export type PipelineOptions = {
  folder: string
  zone?: string
  start: number
  allowedHosts?: readonly string[]
  durable?: boolean
  syncFile?: SyncFile
  retryAfter?: number
  /** Runs after each commit. */
  afterCommit?: () => void
}

const keepQuery = ['attachment_id', 'author', 'cat', 'm', 'p', 'page_id', 'tag']

const open = (path: string, durable: boolean): Db => {
  const { db } = openDatabase(path)
  // A test that stops the process nowhere need not wait for the disk.
  if (!durable) db.pragma('synchronous = off')
  return db
}

export const createPipeline = ({
  folder,
  zone: name = 'UTC',
  start,
  allowedHosts = [],
  durable = false,
  syncFile,
  retryAfter,
  afterCommit,
}: PipelineOptions) => {
  const path = join(folder, 'test.db')
  const zone = createZone(name)
  const clock = { now: start }
  const errors: unknown[] = []
  let db = open(path, durable)
  let settings: Settings = loadSettings(db)

  let changes = noChanges()
  let follow = createFollower(db, zone)
  const create = () => {
    const collector = createCollector({
      db,
      zone,
      now: () => clock.now,
      settings: () => settings,
      geo: null,
      allowedHosts,
      keepQuery,
      roleOf: () => null,
      onCommit: made => {
        addChanges(changes, made)
        afterCommit?.()
      },
      onError: error => {
        errors.push(error)
      },
      syncFile,
      retryAfter,
    })
    collector.salts.destroyExpired(clock.now)
    collector.restore()
    return collector
  }
  let collector = create()

  const flush = (): void => {
    collector.queue.flush()
    db.transaction(() => collector.ledger.write(db)).immediate()
    collector.ledger.settle()
  }

  /** The body of a report, read by this connection instead of a thread. */
  const reportBody = async (report: Report, query: Record<string, unknown>, params = {}): Promise<any> => {
    db.exec(statement('period.tables'))
    const read = async (statements: readonly { sql: string; params: object }[], { range = null }: ReadOptions) =>
      runStatements(db, statements, range)
    const context = {
      clock: () => clock.now * 1000,
      zone,
      zoneChanges: [],
      imported: [],
      read,
      activeSince: collector.activeSince,
    }
    const { body } = await runReport(report, { query, params }, context as never)
    return body
  }

  return {
    path,
    clock,
    zone,
    errors,
    get db() {
      return db
    },
    get collector() {
      return collector
    },
    set: (change: Partial<Settings>): void => {
      settings = { ...settings, ...change }
    },
    /** What the service does by the clock. */
    jobs: (): void => {
      collector.queue.flush()
      collector.salts.destroyExpired(clock.now)
      collector.prune()
      collector.forgetRecent()
    },
    send: ({ kind, address, userAgent, headers = {}, body }: Sent): Promise<Result> =>
      collector.collect(
        {
          kind,
          at: clock.now,
          address: address === null ? null : parseAddress(address),
          userAgent,
          headers: new Map(Object.entries(headers)),
        },
        body,
      ),
    flush,
    /** As after a crash: what commits have left for later is not written. */
    restart: (): void => {
      flush()
      db.close()
      db = open(path, durable)
      follow = createFollower(db, zone)
      collector = create()
    },
    settle: (): void => {
      flush()
      // On a slow machine past days come a few at a time.
      for (let left = 1; left > 0; ) {
        left = follow(zone.dayOf(clock.now), changes, false).left
        changes = noChanges()
      }
    },
    /** The days whose rollups are not what all of their raw rows add up to. */
    drifted: (): Day[] =>
      db
        .prepare('select day from site_day')
        .pluck()
        .all()
        .map(Number)
        .filter(day => rebuildDay(db, zone, day)),
    summary: async (day: string) => (await reportBody(summary, { from: day, to: day, interval: 'day' })).data,
    pages: async (from: string, to: string = from) =>
      (await reportBody(pages, { from, to, limit: 200, offset: 0, by: 'host' })).data,
    hosts: async (day: string) =>
      (await reportBody(dimensions, { from: day, to: day, limit: 200, offset: 0 }, { type: 'host' })).data,
    rows: (sql: string, ...values: unknown[]): any[] => db.prepare(sql).all(...values),
    close: (): void => {
      flush()
      db.close()
    },
  }
}

export type Pipeline = ReturnType<typeof createPipeline>
