// Options that the file may hold as well, for owners without a shell: they come after flags and environment.
import { isDeepStrictEqual } from 'node:util'
import { type Config, type Option, type OptionName, options } from './config.ts'

export const fileOptionNames = [
  'siteName',
  'siteUrl',
  'allowedHosts',
  'publicUrl',
  'timezone',
  'weekStart',
  'homeCountry',
  'currency',
  'keepQuery',
  'mailTo',
  'alertRecipients',
  'digest',
  'lang',
] as const satisfies OptionName[]

export type FileOptionName = (typeof fileOptionNames)[number]

/** What the file says, as texts of the command line. */
export type FileOptions = Readonly<Partial<Record<FileOptionName, string>>>

const optionOf = (name: FileOptionName): Option => options[name]

/** Whether a flag or the environment sets it, to something other than the default. */
export const isGiven = (name: FileOptionName, config: Partial<Config>): boolean => {
  const { kind, default: text } = optionOf(name)
  return !isDeepStrictEqual(config[name], kind.parse(text))
}

/** Undefined for a text that the option does not take. */
export const parseFileOption = (name: FileOptionName, text: string): unknown => optionOf(name).kind.parse(text)

/** Options with what the file says for those that are not given. */
export const withFileOptions = <Given extends Partial<Config>>(given: Given, held: FileOptions): Given => {
  const found = fileOptionNames.flatMap((name): [string, unknown][] => {
    const text = held[name]
    if (!(name in given) || text === undefined || isGiven(name, given)) return []
    // A later version may take less than the one that saved it.
    const value = parseFileOption(name, text)
    return value === undefined ? [] : [[name, value]]
  })
  return { ...given, ...Object.fromEntries(found) }
}
