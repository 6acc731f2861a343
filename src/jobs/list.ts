import { addDays } from '../lib/time.ts'
import type { Job, JobDeps } from './run.ts'

const plural = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

const firstKept = ({ today, settings }: JobDeps) => addDays(today(), -settings().retention_days)

/** One row a job. */
export const jobs: readonly Job[] = [
  {
    name: 'rollup',
    schedule: '20 */10 * * * *',
    about: 'Recalculates the days that have changed, and each day again when it is over, and sums up whole months.',
    run: async ({ rollup }) => `${plural(await rollup(), 'day', 'days')} brought up to date.`,
  },
  {
    name: 'salt',
    schedule: '5 31 * * * *',
    about: 'Destroys expired salts; the service also does so every second.',
    run: async ({ destroySalts }) => `${plural(destroySalts(), 'salt', 'salts')} destroyed.`,
  },
  {
    name: 'retention',
    schedule: '40 17 * * * *',
    about: 'Deletes single visits after retention_days; their reports stay.',
    run: async deps => {
      const { retention_mode: mode } = deps.settings()
      if (mode !== 'delete') return `Nothing is deleted: the retention mode is ${mode}.`
      return `${plural(await deps.purge(firstKept(deps)), 'row', 'rows')} deleted.`
    },
  },
  {
    name: 'archive',
    schedule: '40 27 * * * *',
    about:
      'In the retention mode archive: moves single visits older than retention_days to files next to the database.',
    run: async deps => {
      const { retention_mode: mode } = deps.settings()
      if (mode !== 'archive') return `Nothing is archived: the retention mode is ${mode}.`
      return `${plural(await deps.archive(firstKept(deps), deps.now(), deps.archiveFormat), 'row', 'rows')} archived.`
    },
  },
  {
    name: 'audit',
    schedule: '50 52 3 * * *',
    about: 'Deletes entries of the audit log after 400 days.',
    run: async ({ forgetAudit }) => `${plural(forgetAudit(), 'entry', 'entries')} deleted.`,
  },
  {
    name: 'geoip',
    schedule: '10 47 4 * * 3',
    about:
      "Renews the GeoIP database once a week: the licensed city database, or the month's free one. Failures are retried.",
    run: async ({ geoip }) => geoip(),
  },
  {
    name: 'backfill',
    schedule: '50 */5 * * * *',
    about:
      'Resumes an interrupted import of orders, and fetches what changed in the shop; the service also checks every second.',
    run: async ({ shop }) => shop(),
  },
  {
    name: 'alerts',
    schedule: '30 */10 * * * *',
    about:
      'Raises and ends alerts, and sends them by mail, --webhook or --alert-command; posts goals that are reached.',
    run: async ({ alerts }) => alerts(),
  },
  {
    name: 'digest',
    schedule: '0 30 6 * * *',
    about:
      'Sends the digests of --digest and those of users: of each day, each week on its first day, each month on the 1st. One that is ' +
      'due on a day is also sent at a start later on that day, and none twice.',
    atStart: true,
    run: async ({ digest }) => digest(),
  },
  {
    name: 'optimize',
    schedule: '30 42 3 * * *',
    about: 'Updates the statistics of the query planner, and returns free pages to the disk.',
    run: async ({ optimize }) => `${plural(await optimize(), 'page', 'pages')} returned to the disk.`,
  },
  {
    name: 'backup',
    schedule: '15 12 3 * * *',
    about: 'Copies the database into --backup-folder, and keeps the newest --backup-keep copies.',
    run: async ({ backupFolder, backupKeep, backup, noteBackup, today }) => {
      if (backupFolder === null) return 'No copy is made: --backup-folder is not set.'
      const copies = await backup(backupFolder, today(), backupKeep)
      noteBackup()
      return `Copied; ${plural(copies, 'copy is', 'copies are')} in the folder.`
    },
  },
]
