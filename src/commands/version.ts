import { version as footfall } from '../../package.json'
import { sqliteVersion } from '../database/probe.ts'
import { readAsset } from '../runtime/assets.ts'
import type { Command } from './command.ts'

export const version: Command = {
  name: 'version',
  example: 'version --licenses',
  about: 'Show the versions of Footfall, Node and SQLite.',
  flags: [{ flag: '--licenses', about: 'Show the licenses of all bundled components instead.' }],
  run: ({ print, flags }) => {
    if (flags.licenses === true) {
      print(readAsset('THIRD_PARTY.md').toString().trimEnd())
      return 0
    }
    print(`footfall ${footfall} (node ${process.version}, sqlite ${sqliteVersion()})`)
    return 0
  },
}
