import type { ArchiveFormat } from '../archive/retention.ts'
import type { Db } from '../database/query.ts'
import { errorText } from '../lib/errors.ts'
import { type Clock, type Day, toSeconds, type Zone } from '../lib/time.ts'
import type { Tasks } from '../maintenance/tasks.ts'
import type { Settings } from '../settings/settings.ts'
import { saveJobState } from './state.ts'

/** What jobs work with: the service's own, or those of a command that has the file alone. */
export type JobDeps = Omit<Tasks, 'follow' | 'judge' | 'judgeAll' | 'undoImport' | 'erase'> & {
  /** Brings all rollups up to date; returns how many days were behind. */
  rollup: () => Promise<number>
  /** Destroys salts whose time is over; returns how many. */
  destroySalts: () => number
  /** Deletes entries of the audit log that are too old; returns how many. */
  forgetAudit: () => number
  /** Starts what is to be fetched from the shop; returns a sentence on its state. */
  shop: () => string
  /** Fetches the GeoIP database, or reads it again, where that is due; returns a sentence on its state. */
  geoip: () => Promise<string>
  /** Notes alerts that begin and end, and sends them; returns a sentence on it. */
  alerts: () => Promise<string>
  /** Records in the audit log that a backup was made. */
  noteBackup: () => void
  /** Where backups are written every night; null if nowhere. */
  backupFolder: string | null
  /** How many of them stay. */
  backupKeep: number
  /** The form of the files that single visits are moved to. */
  archiveFormat: ArchiveFormat
  /** Sends the digests that are due; returns a sentence on them. */
  digest: () => Promise<string>
  now: () => number
  today: () => Day
  zone: Zone
  settings: () => Settings
}

/**
 * Scheduled work; `schedule` in croner's notation and the site's time zone. `run` returns a sentence on what was done.
 * `atStart`: also at every start, as it knows by itself what is due.
 */
export type Job = {
  name: string
  schedule: string
  about: string
  atStart?: true
  run: (deps: JobDeps) => Promise<string>
}

export type JobResult = { name: string; ok: boolean; duration_ms: number; message: string }

/** Runs jobs one after the other, none of them twice at a time, and stores the results. */
export type JobRunner = (jobs: readonly Job[]) => Promise<JobResult[]>

/** Stores a result. A file that cannot be written now must not end the service. */
const store = (db: Db, last_run: number, ran: JobResult): JobResult => {
  try {
    saveJobState(db, {
      name: ran.name,
      last_run,
      last_duration_ms: ran.duration_ms,
      last_error: ran.ok ? null : ran.message,
    })
    return ran
  } catch (error) {
    return { ...ran, ok: false, message: `${ran.message} Its run could not be recorded: ${errorText(error)}` }
  }
}

/** @param onEnd is called with each result */
export const createJobRunner = (db: Db, clock: Clock, deps: JobDeps, onEnd: (result: JobResult) => void): JobRunner => {
  const running = new Map<string, Promise<JobResult>>()

  const runOne = async ({ name, run }: Job): Promise<JobResult> => {
    const last_run = toSeconds(clock())
    const started = performance.now()
    const took = (): number => Math.round(performance.now() - started)
    const outcome = await run(deps).then(
      message => ({ ok: true, message }),
      (error: unknown) => ({ ok: false, message: errorText(error) }),
    )
    const ran = store(db, last_run, { name, ...outcome, duration_ms: took() })
    onEnd(ran)
    return ran
  }

  const start = (job: Job): Promise<JobResult> => {
    const started = runOne(job).finally(() => running.delete(job.name))
    running.set(job.name, started)
    return started
  }

  return async jobs => {
    const results: JobResult[] = []
    for (const job of jobs) results.push(await (running.get(job.name) ?? start(job)))
    return results
  }
}
