import { type AlertWatch, createAlertWatch } from '../alerts/watch/watch.ts'
import { forgetAudit, noteAction } from '../audit/audit.ts'
import type { Collector } from '../collection/collector.ts'
import { type Environment, siteAddresses } from '../config/config.ts'
import { type Db, tryWithBusyTimeout } from '../database/query.ts'
import { loadState, logHeldSchema, saveState } from '../database/saved-state.ts'
import { sendAllDigests } from '../digest/send-subscribed.ts'
import { jobs } from '../jobs/list.ts'
import { createJobRunner, type JobRunner } from '../jobs/run.ts'
import type { Timed } from '../jobs/schedule.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Webhook } from '../mail/webhook.ts'
import { afterGoalDays } from '../reports/goals/store-days.ts'
import type { Read } from '../reports/pool.ts'
import type { Collection } from './collection.ts'
import { reportContextOf } from './report-context.ts'
import type { Base } from './storage.ts'

/** Connects digests to the service's reports. What the file says is read when one is due. */
const wireDigest =
  (base: Base, collection: Collection, { read, mailer, personal, webhook }: Outside) =>
  (): Promise<string> =>
    sendAllDigests({
      db: base.db,
      config: base.config,
      mailer,
      personal,
      webhook,
      context: reportContextOf(base, collection, read),
      ...siteAddresses(base.config),
      signal: new AbortController().signal,
    })

export type ServiceJobs = {
  runJobs: JobRunner
  alerts: AlertWatch
  /** Downloads a GeoIP database if one is due, as a job, so that the result is stored. */
  refreshGeoip: () => void
}

/** What jobs need in addition to the file: `read` reads reports. */
type Outside = { read: Read; mailer: Mailer; alerter: Mailer; personal: Mailer; webhook: Webhook; env: Environment }

/** Connects the jobs to the components of the service. */
export const wireJobs = (base: Base, collection: Collection, outside: Outside): ServiceJobs => {
  const { read, alerter, webhook, env } = outside
  const { db, clock, config, zone, now, today, log } = base
  const { refresher, thread, judgeEnded, collector, shop, geoip, settings } = collection
  const alerts = createAlertWatch({
    db,
    context: { read, zone },
    now,
    mailer: alerter,
    webhook,
    config,
    env,
    ...siteAddresses(config),
  })
  const runJobs = createJobRunner(
    db,
    clock,
    {
      rollup: async () => {
        await judgeEnded()
        return refresher.refresh()
      },
      purge: afterGoalDays({ db, read, zone }, thread.purge),
      archive: afterGoalDays({ db, read, zone }, thread.archive),
      optimize: thread.optimize,
      backup: thread.backup,
      noteBackup: () => noteAction(db, { at: now(), who: 'serve' }, 'backup_made', {}),
      destroySalts: () => collector.salts.destroyExpired(now()),
      forgetAudit: () => forgetAudit(db, now()),
      shop: shop.jobs.pickUp,
      geoip: geoip.refreshGeoip,
      alerts: alerts.run,
      backupFolder: config.backupFolder,
      backupKeep: config.backupKeep,
      archiveFormat: config.archiveFormat,
      digest: wireDigest(base, collection, outside),
      now,
      today,
      zone,
      settings: settings.current,
    },
    ({ name, ok, message, duration_ms }) =>
      ok
        ? log.debug('a job ran', { name, message, duration_ms })
        : log.error('a job failed', { name, reason: message }),
  )
  const refreshGeoip = (): void => {
    if (geoip.isDue()) void runJobs(jobs.filter(({ name }) => name === 'geoip'))
  }
  settings.onChange(refreshGeoip)
  return { runJobs, alerts, refreshGeoip }
}

/** Milliseconds to wait for another process's lock: the next tick comes soon. */
const tickTimeout = 100

const writeLedger = (db: Db, { ledger }: Collector): void => {
  if (ledger.isEmpty()) return
  const write = (): void => db.transaction(() => ledger.write(db)).immediate()
  if (tryWithBusyTimeout(db, tickTimeout, write)) ledger.settle()
}

/** Notes for diagnostics since when the log cannot be emptied, whenever that changes. */
const heldLogNote = (db: Db): ((since: number | null) => void) => {
  let noted = loadState(db, 'log_held', logHeldSchema)?.since ?? null
  return since => {
    if (since === noted) return
    if (tryWithBusyTimeout(db, tickTimeout, () => saveState(db, 'log_held', { since }))) noted = since
  }
}

/** Synchronizes memory and file while the service runs. Jobs, whose results are stored, are in jobs/list.ts. */
export const serviceTicks = (
  { db, now }: Base,
  { collector, settings, suspects, rules, judgeEnded, refresher, shop, importing }: Collection,
  refreshGeoip: () => void,
  saveObservations: () => void,
): Timed[] => {
  const noteLog = heldLogNote(db)
  return [
    {
      name: 'settings',
      schedule: '* * * * * *',
      run: () => {
        settings.refresh()
        suspects.refresh()
        rules.refresh()
      },
    },
    {
      name: 'salts',
      schedule: '* * * * * *',
      run: () => {
        collector.salts.destroyExpired(now())
        noteLog(collector.salts.logHeldSince())
      },
    },
    { name: 'sessions', schedule: '0 * * * * *', run: collector.prune },
    { name: 'suspects', schedule: '20 * * * * *', run: judgeEnded },
    // Days that a command has changed meanwhile.
    { name: 'rollups', schedule: '40 * * * * *', run: refresher.schedule },
    { name: 'observations', schedule: '10 * * * * *', run: saveObservations },
    { name: 'uploads', schedule: '50 11 * * * *', run: importing.uploads.prune },
    { name: 'recent', schedule: '30 7 * * * *', run: collector.forgetRecent },
    { name: 'shop', schedule: '* * * * * *', run: shop.jobs.tick },
    { name: 'geoip', schedule: '* * * * * *', run: refreshGeoip },
    { name: 'deliveries', schedule: '*/5 * * * * *', run: shop.deliveries.write },
    {
      name: 'attribution',
      schedule: '*/10 * * * * *',
      run: () => {
        shop.store.attribute(2000)
      },
    },
    { name: 'ledger', schedule: '*/5 * * * * *', run: () => writeLedger(db, collector) },
  ]
}
