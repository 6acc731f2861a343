import { version as footfall } from '../../package.json'
import { sqliteVersion } from '../database/version.ts'
import type { Command } from './command.ts'

export const version: Command = {
  name: 'version',
  about: 'Show the versions of Footfall, Node and SQLite.',
  run: ({ print }) => {
    print(`footfall ${footfall} (node ${process.version}, sqlite ${sqliteVersion()})`)
    return 0
  },
}
