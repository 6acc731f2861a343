import { readOptions } from '../config/config.ts'
import { backup } from '../database/backup.ts'
import { planRestore, type Described, type Newer, type RestorePlan } from '../database/restore-plan.ts'
import { restore } from '../database/restore.ts'
import { dayText, timeText, toSeconds } from '../lib/time.ts'
import type { Command } from './command.ts'
import { count } from './listing.ts'

const size = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

export const backupCommand: Command = {
  name: 'backup',
  arguments: ['<FILE>'],
  about:
    'Copy the database to a file, also while the service runs. The copy is checked, and holds no salts and no logins.',
  flags: [{ flag: '--force', about: 'Replace FILE if it exists.' }],
  run: ({ args: [file = ''], flags, env, print }) => {
    const { data } = readOptions(['data'], flags, env)
    const { bytes, schema } = backup(data, file, flags.force === true)
    print(
      `${data} was copied to ${file} (${size(bytes)}, schema ${schema}) and the copy was checked: it is sound, and its totals are those of the original.`,
    )
    print('It holds no salts and no logins, but all visits and settings: keep it as safe as the database.')
    return 0
  },
}

const totals = ({ facts }: Described): string => {
  if (facts === null) return 'It is of an older version: its schema is brought up when it is served.'
  const { views, sessions, first_day: first, last_day: last, orders, users } = facts
  const days =
    first === null || last === null
      ? 'nothing counted yet'
      : `${count(views, 'view')} in ${count(sessions, 'visit')} from ${dayText(first)} to ${dayText(last)}`
  return `It holds ${days}, ${count(orders, 'order')} and ${count(users, 'user')}.`
}

const head = ({ path, bytes, schema, writtenAt }: Described): string =>
  `${path} (${size(bytes)}, schema ${schema}, written ${timeText(toSeconds(writtenAt))})`

const lost = ({ views, events, orders }: Newer): string =>
  views + events + orders === 0
    ? 'No visit, event or order came since the backup.'
    : `What came since the backup would be missing: ${count(views, 'view')}, ${count(events, 'event')}, and ${count(orders, 'order')} that are new or changed.`

const planLines = ({ backup: found, current }: RestorePlan): string[] => [
  `${head(found)} is a sound backup. ${totals(found)}`,
  ...(current === null
    ? ['There is no database yet: the backup would become it.']
    : current.described === null
      ? [`${current.path} is damaged or no database of Footfall: it would be put aside, and the backup take its place.`]
      : [
          `It would take the place of ${head(current.described)}. ${totals(current.described)}`,
          current.newer === null
            ? 'The two are not known to be of one installation: all that the database holds would be put aside.'
            : lost(current.newer),
          'Settings, users and passwords would be those of the backup, and the file that is there would be kept beside it.',
        ]),
  'Nothing was changed.',
]

export const restoreCommand: Command = {
  name: 'restore',
  arguments: ['<FILE>'],
  about: 'Replace the database with a backup, while no service is using it. The replaced file is kept beside it.',
  flags: [
    {
      flag: '--dry-run',
      about: 'Only check the backup, and show what it contains and what would be lost; a service may be running.',
    },
  ],
  run: ({ args: [file = ''], flags, env, clock, print }) => {
    if (flags.dryRun === true) {
      for (const line of planLines(planRestore(file, readOptions(['data'], flags, env).data))) print(line)
      return 0
    }
    const stamp = new Date(clock()).toISOString().replace(/[-:]|\.\d+/g, '')
    const { path, bytes, schema, kept, sound } = restore(file, readOptions(['data'], flags, env).data, stamp)
    print(`${file} (${size(bytes)}, schema ${schema}) was checked and is now ${path}.`)
    if (kept !== null)
      print(
        sound
          ? `The file that was there is kept as ${kept}.`
          : `The file that was there is damaged; it is kept as ${kept}.`,
      )
    print("Start 'footfall serve' again. Log in again: a backup holds no logins.")
    return 0
  },
}
