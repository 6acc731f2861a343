import { dirname, resolve } from 'node:path'
import { readOptions } from '../config/config.ts'
import { type Described, type Newer, planRestore, type RestorePlan } from '../database/restore-plan.ts'
import { sizeOf } from '../lib/size.ts'
import { dayText, timeText, toSeconds } from '../lib/time.ts'
import type { Command } from './command.ts'
import { copyInThread } from './copying.ts'
import { tryNoteCommand } from './database.ts'
import { count } from './listing.ts'

export const backupCommand: Command = {
  name: 'backup',
  example: 'backup /var/backups/footfall.db',
  arguments: ['<FILE>'],
  about:
    'Copy the database to a file; the service may be running. The copy is verified and contains no salts or logins.',
  flags: [{ flag: '--force', about: 'Replace FILE if it exists.' }],
  run: async call => {
    const { args, flags, env, print } = call
    const [file = ''] = args
    const { data } = readOptions(['data'], flags, env)
    const { bytes, schema } = await copyInThread(dirname(resolve(file)), {
      task: 'backup',
      values: [data, file, flags.force === true],
    })
    tryNoteCommand(call, data, 'backup_made', {})
    print(
      `Copied ${data} to ${file} (${sizeOf(bytes)}, schema ${schema}). ` +
        'The copy was verified: it is intact, and its totals match the original.',
    )
    print('It contains all visits and settings, but no salts or logins. Protect it like the database itself.')
    return 0
  },
}

const totals = ({ facts }: Described): string => {
  if (facts === null) return 'It was written by an older version; the service migrates it when it starts.'
  const { views, sessions, first_day: first, last_day: last, orders, users } = facts
  const days =
    first === null || last === null
      ? 'no visits'
      : `${count(views, 'page view')} in ${count(sessions, 'visit')} from ${dayText(first)} to ${dayText(last)}`
  return `It contains ${days}, ${count(orders, 'order')} and ${count(users, 'user')}.`
}

const head = ({ path, bytes, schema, writtenAt }: Described): string =>
  `${path} (${sizeOf(bytes)}, schema ${schema}, written ${timeText(toSeconds(writtenAt))})`

const lost = ({ views, events, orders }: Newer): string =>
  views + events + orders === 0
    ? 'No visit, event or order has been recorded since the backup.'
    : `Data recorded since the backup would be lost: ${count(views, 'page view')}, ${count(events, 'event')}, ` +
      `and ${count(orders, 'new or changed order')}.`

const planLines = ({ backup: source, current }: RestorePlan): string[] => [
  `${head(source)} is a valid backup. ${totals(source)}`,
  ...(current === null
    ? ['There is no database yet; the backup would become the database.']
    : current.described === null
      ? [
          `${current.path} is damaged or not a Footfall database. ` +
            'It would be renamed, and the backup would take its place.',
        ]
      : [
          `It would replace ${head(current.described)}. ${totals(current.described)}`,
          current.newer === null
            ? 'The two files may belong to different installations: all data of the current database would be replaced.'
            : lost(current.newer),
          'Settings, users and passwords would be those of the backup. The current file would be kept under another name.',
        ]),
  'Nothing was changed.',
]

export const restoreCommand: Command = {
  name: 'restore',
  example: 'restore /var/backups/footfall.db --dry-run',
  arguments: ['<FILE>'],
  about: 'Replace the database with a backup. Stop the service first. The replaced file is kept in the same folder.',
  flags: [
    {
      flag: '--dry-run',
      about: 'Only verify the backup, and show what it contains and what would be lost. The service may be running.',
    },
  ],
  run: async call => {
    const { args, flags, env, clock, print } = call
    const [file = ''] = args
    const { data } = readOptions(['data'], flags, env)
    if (flags.dryRun === true) {
      for (const line of planLines(planRestore(file, data))) print(line)
      return 0
    }
    const stamp = new Date(clock()).toISOString().replace(/[-:]|\.\d+/g, '')
    const { path, bytes, schema, kept, sound, undone } = await copyInThread(dirname(resolve(data)), {
      task: 'restore',
      values: [file, data, stamp],
    })
    tryNoteCommand(call, path, 'backup_restored', {})
    print(`${file} (${sizeOf(bytes)}, schema ${schema}) was verified and is now ${path}.`)
    if (kept !== null)
      print(sound ? `The previous file is kept as ${kept}.` : `The previous file is damaged; it is kept as ${kept}.`)
    print(
      undone
        ? `The migration was undone; logins and connections are kept. Install the version that used schema ${schema}, then ` +
            "start 'footfall serve' again."
        : "Start 'footfall serve' again. All users must log in again, because a backup contains no logins; and a WordPress " +
            "that was connected must be connected again: 'footfall connect wordpress'.",
    )
    return 0
  },
}
