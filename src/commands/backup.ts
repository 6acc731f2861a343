import { readOptions } from '../config.ts'
import { backup } from '../database/backup.ts'
import { restore } from '../database/restore.ts'
import type { Command } from './command.ts'

const size = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

export const backupCommand: Command = {
  name: 'backup',
  arguments: ['<FILE>'],
  about: 'Copy the database to a file, also while the service runs. The copy is checked, and holds no salts and no logins.',
  flags: [{ flag: '--force', about: 'Replace FILE if it exists.' }],
  run: ({ args: [file = ''], flags, env, print }) => {
    const { data } = readOptions(['data'], flags, env)
    const { bytes, schema } = backup(data, file, flags.force === true)
    print(`${data} was copied to ${file} (${size(bytes)}, schema ${schema}) and the copy was checked.`)
    print('It holds no salts and no logins, but all visits and settings: keep it as safe as the database.')
    return 0
  },
}

export const restoreCommand: Command = {
  name: 'restore',
  arguments: ['<FILE>'],
  about: 'Put a backup in the place of the database, which no service may be using. The replaced file is kept beside it.',
  run: ({ args: [file = ''], flags, env, clock, print }) => {
    const stamp = new Date(clock()).toISOString().replace(/[-:]|\.\d+/g, '')
    const { path, bytes, schema, kept, sound } = restore(file, readOptions(['data'], flags, env).data, stamp)
    print(`${file} (${size(bytes)}, schema ${schema}) was checked and is now ${path}.`)
    if (kept !== null) print(sound ? `The file that was there is kept as ${kept}.` : `The file that was there is damaged; it is kept as ${kept}.`)
    print("Start 'footfall serve' again. Log in anew: a backup holds no logins.")
    return 0
  },
}
