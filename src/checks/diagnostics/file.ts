import { existsSync, statSync } from 'node:fs'
import * as v from 'valibot'
import { type Observation, observationSchema } from '../../collection/ingest/clients.ts'
import { nightlyBackups } from '../../database/backup.ts'
import { quoted } from '../../database/copy-check.ts'
import { type DemoMark, readDemoMark } from '../../database/demo-mark.ts'
import { openReadOnly } from '../../database/open.ts'
import { all, type Db, get, none, query } from '../../database/query.ts'
import { loadState, logHeldSchema } from '../../database/saved-state.ts'
import { newestVersion, versionOf } from '../../database/schema.ts'
import { statements } from '../../database/statements.ts'
import { secondOf } from '../../database/view-id.ts'
import { type GeoipTries, readTries } from '../../geoip/tries.ts'
import { jobsSince } from '../../jobs/state.ts'
import { errorText } from '../../lib/errors.ts'
import { addDays, createZone } from '../../lib/time.ts'
import { type MailState, mailState } from '../../mail/state.ts'
import { differsFromWordPress, wordPressZone } from '../../rollup/told-zone.ts'
import { loadSettings, type Settings } from '../../settings/settings.ts'
import { type ShopFacts, shopFacts } from '../../shop/facts.ts'
import sqlText from '../../sql/diagnostics.sql'
import { type CommandState, commandState } from './alert-command.ts'
import { type Disk, diskOf } from './disk.ts'
import { type JobState, jobStates } from './job-states.ts'

const sql = statements(sqlText)

const day = v.object({ day: v.number() })
const nullable = v.nullable(v.number())
const factsQuery = query(
  sql('facts'),
  none,
  v.object({
    newest_view: nullable,
    newest_event: nullable,
    oldest_session: nullable,
    dirty_days: v.number(),
    first_password: v.nullable(v.string()),
  }),
)
/** What became of the requests since an hour (seconds since 1970 / 3600). */
export const outcomesQuery = query(
  sql('outcomes'),
  v.object({ hour: v.number() }),
  v.object({ outcome: v.string(), requests: v.number() }),
)
const foreignQuery = query(sql('foreign-host'), day, v.object({ host: v.string(), requests: v.number() }))
const noveltyQuery = query(sql('novelty'), day, v.object({ kind: v.string(), refused: v.number() }))

const newNetworksQuery = query(
  sql('new-network'),
  v.object({ since: v.number() }),
  v.object({ login: v.string(), network: v.string(), first_at: v.number() }),
)
const withoutFactorQuery = query(sql('no-second-factor'), none, v.object({ login: v.string() }))

/** Seconds for which a login from a new network is reported. */
const newNetworkWindow = 7 * 86_400

/** How the service that uses the file was started; of secrets only whether they were set. */
export const serviceNoteSchema = v.object({
  pid: v.number(),
  startedAt: v.number(),
  timezone: v.string(),
  config: v.record(v.string(), v.any()),
  /** Whether strangers can reach the service, as far as its options show. */
  isPublic: v.boolean(),
})
const count = v.number()
/** Recent log lines, those with addresses or user agents among them, and the failed logins of the last day. */
export const watchedSchema = v.object({ lines: count, addresses: count, userAgents: count, failedLogins: count })
export type Watched = v.InferOutput<typeof watchedSchema>
export type ServiceNote = v.InferOutput<typeof serviceNoteSchema>

/** `newest`: the date of the newest backup in the folder; null if there is none, or the folder cannot be read. */
export type Backups = { folder: string; newest: string | null }

/** Facts from the tables; times in seconds since 1970. */
export type Content = {
  /** Empty unless requested, because counting reads the whole file. */
  tables: { name: string; rows: number | null }[]
  settings: Settings
  newestView: number | null
  oldestSession: number | null
  dirtyDays: number
  firstPassword: string | null
  /** Administrators without a second factor, by login. */
  withoutSecondFactor: string[]
  /** Logins of the last seven days from networks new to their users, newest first. */
  newNetworks: { login: string; network: string; first_at: number }[]
  outcomes: Record<string, number>
  foreignHost: { host: string; requests: number } | null
  /** How many new values of each kind were counted as `(other)`, yesterday and today. */
  limited: { kind: string; refused: number }[]
  jobs: JobState[]
  /** Since when jobs are due; null before the first start. */
  jobsSince: number | null
  /** The nightly backups; null unless they have a folder. */
  backups: Backups | null
  service: ServiceNote | null
  clients: Observation | null
  watched: Watched | null
  /** The latest attempts to download a city database. */
  places: GeoipTries
  mail: MailState
  webhook: MailState
  alertCommand: CommandState | null
  shop: ShopFacts
  /** Since when the log could not be emptied of what was erased, in seconds since 1970. */
  logHeldSince: number | null
  /** Set if the figures are made up. */
  demo: DemoMark | null
  /** The time zones of the service and of WordPress, if days differ by them. */
  zones: { own: string; wordpress: string } | null
}

/** Facts about a data file. If it cannot be read, `error` is set and `content` is null. */
export type FileFacts = {
  path: string
  bytes: number
  walBytes: number
  openToOthers: boolean
  disk: Disk
  error: string | null
  /** The version of the schema; null if it cannot be read. */
  schema: number | null
  /** Also null in a file with another schema version. */
  content: Content | null
}

const secondOfId = (id: number | null | undefined): number | null =>
  id === null || id === undefined ? null : secondOf(id)

const rowsOf = (db: Db, table: string): number | null => {
  try {
    return Number(
      db
        .prepare(`select count(*) from ${quoted(table)}`)
        .pluck()
        .get(),
    )
  } catch {
    return null
  }
}

const tablesOf = (db: Db): Content['tables'] => {
  const names = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[]
  return names.map(name => ({ name, rows: rowsOf(db, name) }))
}

const backupsOf = (service: ServiceNote | null): Backups | null => {
  const folder: unknown = service?.config.backup_folder
  if (typeof folder !== 'string') return null
  try {
    return { folder, newest: nightlyBackups(folder)[0] ?? null }
  } catch {
    return { folder, newest: null }
  }
}

const read = (db: Db, now: number, counts: boolean): Content => {
  const service = loadState(db, 'service', serviceNoteSchema)
  const zone = createZone(service?.timezone ?? 'UTC')
  const since = { day: addDays(zone.dayOf(now), -1) }
  const facts = get(db, factsQuery, {})
  return {
    tables: counts ? tablesOf(db) : [],
    settings: loadSettings(db),
    newestView: secondOfId(facts?.newest_view),
    oldestSession: facts?.oldest_session ?? null,
    dirtyDays: facts?.dirty_days ?? 0,
    firstPassword: facts?.first_password ?? null,
    withoutSecondFactor: all(db, withoutFactorQuery, {}).map(({ login }) => login),
    newNetworks: all(db, newNetworksQuery, { since: now - newNetworkWindow }),
    outcomes: Object.fromEntries(
      all(db, outcomesQuery, { hour: Math.floor(now / 3600) - 23 }).map(({ outcome, requests }) => [outcome, requests]),
    ),
    foreignHost: get(db, foreignQuery, since) ?? null,
    limited: all(db, noveltyQuery, since),
    jobs: jobStates(db, zone, now),
    jobsSince: jobsSince(db),
    backups: backupsOf(service),
    service,
    clients: loadState(db, 'clients', observationSchema),
    watched: loadState(db, 'watched', watchedSchema),
    places: readTries(db),
    mail: mailState(db, 'mail'),
    webhook: mailState(db, 'webhook'),
    alertCommand: commandState(db),
    shop: shopFacts(db),
    logHeldSince: loadState(db, 'log_held', logHeldSchema)?.since ?? null,
    demo: readDemoMark(db),
    zones: differsFromWordPress(db, zone.name) ? { own: zone.name, wordpress: wordPressZone(db) ?? '' } : null,
  }
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

const filesystemFacts = (path: string): Omit<FileFacts, 'error' | 'schema' | 'content'> => ({
  path,
  bytes: sizeOf(path),
  walBytes: sizeOf(`${path}-wal`),
  openToOthers: existsSync(path) && (statSync(path).mode & 0o077) !== 0,
  disk: diskOf(path),
})

/**
 * Reads the facts for the diagnostics; of a damaged file, as much as possible.
 * @param counts whether the rows of each table are counted
 */
export const inspectFile = (path: string, now: number, counts = true): FileFacts => {
  const facts = filesystemFacts(path)
  try {
    const db = openReadOnly(path)
    try {
      const schema = versionOf(db)
      return {
        ...facts,
        error: null,
        schema,
        content: schema === newestVersion() ? db.transaction(() => read(db, now, counts))() : null,
      }
    } finally {
      db.close()
    }
  } catch (error) {
    return { ...facts, error: errorText(error), schema: null, content: null }
  }
}

/** 'ok', or the first problem that SQLite finds. */
export const checkIntegrity = (path: string): string => {
  try {
    const db = openReadOnly(path)
    try {
      return String(db.pragma('quick_check(1)', { simple: true }))
    } finally {
      db.close()
    }
  } catch (error) {
    return errorText(error)
  }
}
