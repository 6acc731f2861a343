import { addDays } from '../lib/time.ts'
import type { Job, JobTools } from './job.ts'

const plural = (count: number, one: string, more: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

const firstKept = ({ today, settings }: JobTools) => addDays(today(), -settings().retention_days)

/** One row a job. */
export const jobs: readonly Job[] = [
  {
    name: 'rollup',
    schedule: '20 */10 * * * *',
    about: 'Derives the days that have changed, once more when they are over, and adds up whole months.',
    run: async ({ rollup }) => `${plural(await rollup(), 'day', 'days')} brought up to date.`,
  },
  {
    name: 'salt',
    schedule: '5 31 * * * *',
    about: 'Destroys salts whose time is over; the service does so to the second as well.',
    run: async ({ destroySalts }) => `${plural(destroySalts(), 'salt', 'salts')} destroyed.`,
  },
  {
    name: 'retention',
    schedule: '40 17 * * * *',
    about: 'Deletes single visits after their time; their reports stay.',
    run: async tools => {
      const { retention_mode: mode } = tools.settings()
      if (mode !== 'delete') return `Nothing is deleted: the retention mode is ${mode}.`
      return `${plural(await tools.purge(firstKept(tools)), 'row', 'rows')} deleted.`
    },
  },
  {
    name: 'archive',
    schedule: '40 27 * * * *',
    about: 'In the retention mode archive: puts single visits away in files beside the database after their time.',
    run: async tools => {
      const { retention_mode: mode } = tools.settings()
      if (mode !== 'archive') return `Nothing is put away: the retention mode is ${mode}.`
      return `${plural(await tools.archive(firstKept(tools), tools.now()), 'row', 'rows')} put away.`
    },
  },
  {
    name: 'geoip',
    schedule: '10 47 4 * * 3',
    about:
      "Renews the places' database once a week: the licensed one of cities, or the free one of the month. What failed is tried again by itself.",
    run: async ({ places }) => places(),
  },
  {
    name: 'backfill',
    schedule: '50 */5 * * * *',
    about:
      'Takes up an import of orders that was left, and fetches what was changed in the shop; the service looks every second as well.',
    run: async ({ shop }) => shop(),
  },
  {
    name: 'optimize',
    schedule: '30 42 3 * * *',
    about: 'Keeps the statistics of the query planner, and gives free pages back.',
    run: async ({ optimize }) => `${plural(await optimize(), 'page', 'pages')} given back.`,
  },
  {
    name: 'backup',
    schedule: '15 12 3 * * *',
    about: 'Copies the database into the folder of --backup-folder, and keeps as many as --backup-keep says.',
    run: async ({ backupFolder, backupKeep, backup, today }) => {
      if (backupFolder === null) return 'No copy is made: --backup-folder names no folder.'
      return `Copied; ${plural(await backup(backupFolder, today(), backupKeep), 'copy is', 'copies are')} in the folder.`
    },
  },
]
