import type { Config } from '../config/config.ts'
import {
  type FileOptionName,
  type FileOptions,
  fileOptionNames,
  isGiven,
  withFileOptions,
} from '../config/file-options.ts'
import type { Db } from '../database/query.ts'
import { loadFileOptions, saveFileOptions } from './file-options.ts'

/** The value of an option, and who says so. */
export type SiteOption = {
  value: string | readonly string[] | null
  from: 'option' | 'file' | 'wordpress' | 'default'
}

/** The options of the site that the file may hold. */
export type SiteOptions = {
  /** As they are from the next start on. */
  current: () => Readonly<Record<FileOptionName, SiteOption>>
  /** Changes what is given, as texts of the command line; '' for the default. The service starts again with it. */
  save: (changes: FileOptions, who: string | null, at: number) => void
}

type Options = {
  db: Db
  /** What flags and environment say. */
  given: Config
  /** The time zone that counts days. */
  timezone: string
  /** WordPress', if it counts them; else null. */
  takenZone: () => string | null
  /** Called after a change. */
  onChange: () => void
}

export const createSiteOptions = ({ db, given, timezone, takenZone, onChange }: Options): SiteOptions => {
  const zoneOf = (): SiteOption => {
    const taken = takenZone()
    if (taken !== null) return { value: taken, from: 'wordpress' }
    return { value: timezone, from: timezone === 'UTC' ? 'default' : 'file' }
  }
  const current: SiteOptions['current'] = () => {
    const held = loadFileOptions(db)
    const config = withFileOptions(given, held)
    const optionOf = (name: FileOptionName): SiteOption => {
      if (isGiven(name, given)) return { value: given[name], from: 'option' }
      if (isGiven(name, config)) return { value: config[name], from: 'file' }
      return name === 'timezone' ? zoneOf() : { value: config[name], from: 'default' }
    }
    return Object.fromEntries(fileOptionNames.map(name => [name, optionOf(name)])) as Record<FileOptionName, SiteOption>
  }
  return {
    current,
    save: (changes, who, at) => {
      if (saveFileOptions(db, changes, { at, who })) onChange()
    },
  }
}
