import { createAlertWatch } from '../alerts/watch/watch.ts'
import { forgetAudit } from '../audit/audit.ts'
import { createSalts } from '../collection/enrich/salts.ts'
import { readOptions, UsageError } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { createGeoip } from '../geoip/geoip.ts'
import { jobs } from '../jobs/list.ts'
import { createJobRunner } from '../jobs/run.ts'
import { type Day, dayText, toSeconds, type Zone } from '../lib/time.ts'
import { createTasks, type Tasks } from '../maintenance/tasks.ts'
import { afterGoalDays } from '../reports/goals/store-days.ts'
import { openForReports } from '../reports/periods.ts'
import { noChanges } from '../rollup/changes.ts'
import { chooseZone } from '../rollup/zone.ts'
import { loadSettings } from '../settings/settings.ts'
import { loadChoice } from '../settings/suspects.ts'
import type { Call, Command } from './command.ts'
import { copyInThread } from './copying.ts'
import { noteCommand, withDatabaseAlone } from './database.ts'
import { addressesOf, messageConfig, messagesOf, sendDigests } from './digest-sending.ts'
import { jsonFlag, printRows } from './listing.ts'
import { reportContext } from './reports.ts'

/** Watches for alerts and sends them without the service. */
const runAlerts = async (
  { flags, env, clock }: Pick<Call, 'flags' | 'env' | 'clock'>,
  db: Db,
  zone: Zone,
): Promise<string> => {
  const config = messageConfig({ flags, env }, db)
  const now = (): number => toSeconds(clock())
  const reports = openForReports(db.name)
  try {
    return await createAlertWatch({
      db,
      context: reportContext(reports, zone, clock),
      now,
      config,
      ...messagesOf({ env, clock }, db, config),
      env,
      ...addressesOf(db, config),
    }).run()
  } finally {
    reports.close()
  }
}

const names = jobs.map(({ name }) => name)

const rejectUnknown = (given: readonly string[]): void => {
  const unknown = given.filter(name => !names.includes(name))
  if (unknown.length > 0) throw new UsageError(`There is no job ${unknown.join(', ')}. The jobs: ${names.join(', ')}.`)
}

/** Updates the rollups until no day is left. Returns the number of days. */
const followAll = async (tasks: Tasks, today: Day): Promise<number> => {
  const { done, left, unpacked } = await tasks.follow(today, { ...noChanges(), whole: true }, true)
  return left > 0 || unpacked ? done + (await followAll(tasks, today)) : done
}

export const cron: Command = {
  name: 'cron',
  example: 'cron retention',
  arguments: ['[JOB...]'],
  about: `Run jobs now: all, or those given (${names.join(', ')}). A running service runs them on schedule; stop it first.`,
  flags: [jsonFlag],
  run: async call => {
    const { args, flags, env, clock } = call
    rejectUnknown(args)
    const now = (): number => toSeconds(clock())
    const { backupFolder, backupKeep, archiveFormat, ...geoip } = readOptions(
      [
        'backupFolder',
        'backupKeep',
        'archiveFormat',
        'geoipCity',
        'geoipFallbackUrl',
        'geoipLicensedUrl',
        'geoipEdition',
      ],
      flags,
      env,
    )
    return withDatabaseAlone(call, 'cron', true, async db => {
      const zone = chooseZone(db, null)
      const tasks = createTasks(db, zone)
      const { read } = reportContext(db, zone, clock)
      const today = (): Day => zone.dayOf(now())
      const run = createJobRunner(
        db,
        clock,
        {
          rollup: async () => {
            await tasks.judge(now())
            if (!loadChoice(db).judged) await tasks.judgeAll()
            return followAll(tasks, today())
          },
          purge: afterGoalDays({ db, read, zone }, tasks.purge),
          archive: afterGoalDays({ db, read, zone }, tasks.archive),
          optimize: tasks.optimize,
          backup: (folder, day, keep) =>
            copyInThread(folder, { task: 'rotateBackups', values: [db.name, folder, dayText(day), keep] }),
          noteBackup: () => noteCommand(call, db, 'backup_made', {}),
          backupFolder,
          backupKeep,
          archiveFormat,
          destroySalts: () => createSalts(db, zone, 'site').destroyExpired(now()),
          forgetAudit: () => forgetAudit(db, now()),
          geoip: () =>
            createGeoip({
              db,
              path: db.name,
              clock,
              settings: () => loadSettings(db),
              cityFile: geoip.geoipCity,
              fallbackUrl: geoip.geoipFallbackUrl,
              licensedUrl: geoip.geoipLicensedUrl,
              edition: geoip.geoipEdition,
            }).refreshGeoip(),
          digest: () => sendDigests(call, db, zone),
          alerts: () => runAlerts(call, db, zone),
          shop: () => 'Only a running service fetches from the shop.',
          now,
          today,
          zone,
          settings: () => loadSettings(db),
        },
        () => {},
      )
      const results = await run(jobs.filter(({ name }) => args.length === 0 || args.includes(name)))
      printRows(
        call,
        results.map(({ name, ok, duration_ms, message }) => ({
          name,
          ok: ok ? 'ok' : 'failed',
          duration_ms: String(duration_ms),
          message,
        })),
        'There are no jobs.',
      )
      return results.every(({ ok }) => ok) ? 0 : 1
    })
  },
}
