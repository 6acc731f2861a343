// The options of the site that the file may hold, for owners without a shell.
import * as v from 'valibot'
import { fieldOf, flagOf, type Option, options } from '../config/config.ts'
import { type FileOptionName, type FileOptions, fileOptionNames, parseFileOption } from '../config/file-options.ts'
import { ApiError } from '../http/errors.ts'
import type { SiteOption, SiteOptions } from './site-options.ts'

const maxText = 2048
const maxItems = 100
const maxItem = 254

const textOf = (value: string | readonly string[] | null): string =>
  value === null ? '' : typeof value === 'string' ? value : value.join(',')

const changeOf = (name: FileOptionName) => {
  const { kind, about }: Option = options[name]
  const check = v.check<string | string[] | null, string>(
    value => value === null || parseFileOption(name, textOf(value)) !== undefined,
    `${fieldOf(name)} takes ${kind.expects}.`,
  )
  const text = v.pipe(v.string(), v.maxLength(maxText))
  const list = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(maxItem))), v.maxLength(maxItems))
  return v.optional(v.pipe(v.nullable(kind.list === true ? list : text), check, v.description(about)))
}

/** A change of the options; null for the default. */
export const changeEntries = Object.fromEntries(fileOptionNames.map(name => [fieldOf(name), changeOf(name)]))

const optionSchema = v.object({
  value: v.pipe(
    v.nullable(v.union([v.string(), v.array(v.string())])),
    v.description('Null if nothing is set, and for the time zone that which counts.'),
  ),
  from: v.pipe(
    v.picklist(['option', 'file', 'wordpress', 'default']),
    v.description(
      'Who says so: the command line or the environment, which cannot be changed here; what was saved here, or the file ' +
        'since it was begun; WordPress; nobody.',
    ),
  ),
  option: v.pipe(v.string(), v.description('The flag of the command line, such as --site-url.')),
})

export const optionsSchema = v.object(v.entriesFromList(fileOptionNames.map(fieldOf), optionSchema))

export const optionsOf = (all: Readonly<Record<FileOptionName, SiteOption>>): v.InferOutput<typeof optionsSchema> =>
  Object.fromEntries(
    fileOptionNames.map(name => {
      const { value, from } = all[name]
      return [
        fieldOf(name),
        { value: typeof value === 'string' ? value : value && [...value], from, option: flagOf(name) },
      ]
    }),
  )

/** The changes as texts. @throws ApiError 409 for an option that is given at the start */
export const readChanges = (body: Readonly<Record<string, unknown>>, current: SiteOptions['current']): FileOptions => {
  const changed = fileOptionNames.filter(name => body[fieldOf(name)] !== undefined)
  const all = current()
  const fixed = changed.filter(name => all[name].from === 'option')
  if (fixed.length > 0)
    throw new ApiError(
      409,
      'rest_option_fixed',
      `The service was started with ${fixed.map(flagOf).join(', ')}, which cannot be changed here.`,
    )
  return Object.fromEntries(changed.map(name => [name, textOf(body[fieldOf(name)] as string | string[] | null)]))
}
