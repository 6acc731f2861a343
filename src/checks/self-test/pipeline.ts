import { join } from 'node:path'
import { createCollector } from '../../collection/collector.ts'
import type { Incoming } from '../../collection/record.ts'
import { openDatabase } from '../../database/open.ts'
import { type Db, prepare } from '../../database/query.ts'
import { fillPeriods, openForReports } from '../../reports/periods.ts'
import type { Read, ReadOptions } from '../../reports/pool.ts'
import { rebuildDirtyDays } from '../../rollup/rebuild.ts'
import { adoptZone } from '../../rollup/zone.ts'
import { loadSettings } from '../../settings/settings.ts'
import type { SelfTestDeps } from './check.ts'

/** A browser that does not count as a bot. */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A temporary database with the real collector. */
export type Pipeline = {
  db: Db
  path: string
  send: (kind: Incoming['kind'], body: Record<string, unknown>, at: number) => Promise<string>
  /** Updates the rollups. */
  derive: () => void
  /** Reads as reports do. */
  read: Read
  close: () => void
}

export const openPipeline = ({ folder, zone, clock }: SelfTestDeps, name: string): Pipeline => {
  const { db, path } = openDatabase(join(folder, `${name}.db`))
  const now = Math.floor(clock() / 1000)
  adoptZone(db, zone, now)
  const settings = { ...loadSettings(db), excluded_roles: [] }
  let time = now
  const errors: unknown[] = []
  const collector = createCollector({
    db,
    zone,
    now: () => time,
    settings: () => settings,
    geo: null,
    allowedHosts: [],
    keepQuery: [],
    roleOf: () => null,
    onCommit: () => {},
    onError: error => {
      errors.push(error)
    },
  })
  collector.restore()
  const read = async (
    statements: readonly { sql: string; params: object }[],
    { range = null }: ReadOptions = {},
  ): Promise<unknown[][]> => {
    const reader = openForReports(path)
    try {
      if (range !== null) fillPeriods(reader, range)
      return statements.map(({ sql, params }) => prepare(reader, sql).all(params))
    } finally {
      reader.close()
    }
  }
  return {
    db,
    path,
    read: read as Read,
    send: async (kind, body, at) => {
      time = at
      const { outcome } = await collector.collect(
        { kind, at, address: '192.0.2.1', userAgent, headers: new Map() },
        body,
      )
      if (errors.length > 0) throw errors[0]
      return outcome
    },
    derive: () => {
      rebuildDirtyDays(db, zone)
    },
    close: () => {
      db.close()
    },
  }
}
