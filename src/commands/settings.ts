import { UsageError } from '../config/config.ts'
import { readChanges } from '../endpoints/settings.ts'
import { ApiError, sentencesOf } from '../http/errors.ts'
import { toSeconds } from '../lib/time.ts'
import { createSettings, type Settings, settingsEntries, shown } from '../settings/settings.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { jsonFlag } from './listing.ts'

const names = Object.keys(settingsEntries)
const isName = (text: string): text is keyof Settings => names.includes(text)
const text = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))

const nameOf = (given: string): keyof Settings => {
  if (isName(given)) return given
  throw new UsageError(`There is no setting '${given}'. The settings are ${names.join(', ')}.`)
}

const printSettings = ({ flags, print }: Call, settings: Settings): void => {
  if (flags.json === true) return print(JSON.stringify(settings, null, 2))
  for (const [name, value] of Object.entries(settings)) print(`${name} = ${text(value)}`)
}

const get: Command = {
  name: 'get',
  example: 'settings get retention_days',
  arguments: ['[KEY]'],
  about: 'Show all settings, or the value of one.',
  flags: [jsonFlag],
  run: call =>
    withReading(call, db => {
      const settings = shown(createSettings(db).current())
      const [given] = call.args
      if (given === undefined) printSettings(call, settings)
      else
        call.print(call.flags.json === true ? JSON.stringify(settings[nameOf(given)]) : text(settings[nameOf(given)]))
      return 0
    }),
}

/** Any number of KEY=VALUE, or a single KEY VALUE. */
const pairsOf = (args: readonly string[]): [string, string][] => {
  const [name = '', value] = args
  if (args.length === 2 && value !== undefined && isName(name)) return [[name, value]]
  return args.map(arg => {
    const equals = arg.indexOf('=')
    if (equals < 1)
      throw new UsageError(`'${arg}' is not KEY=VALUE. For example: footfall settings set retention_days=90`)
    return [arg.slice(0, equals), arg.slice(equals + 1)]
  })
}

const changesOf = (texts: Record<string, string>): Partial<Settings> => {
  for (const name of Object.keys(texts)) nameOf(name)
  try {
    return readChanges(texts)
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(sentencesOf(error)) : error
  }
}

const set: Command = {
  name: 'set',
  example: 'settings set retention_days=180 respect_dnt=false',
  arguments: ['<KEY=VALUE...>'],
  about:
    'Change settings, all or none. A running service applies them within a second. With the value -, it is read from ' +
    'standard input.',
  flags: [jsonFlag],
  run: async call => {
    const pairs = pairsOf(call.args)
    const input = pairs.some(([, value]) => value === '-') ? ((await call.readLine()) ?? '') : ''
    const changes = changesOf(Object.fromEntries(pairs.map(([name, value]) => [name, value === '-' ? input : value])))
    return withDatabase(call, db => {
      printSettings(call, shown(createSettings(db).save(changes, 'cli', toSeconds(call.clock()))))
      return 0
    })
  },
}

export const settings: Group = {
  name: 'settings',
  about: 'Show and change the settings.',
  commands: [get, set],
  defaultCommand: 'get',
}
