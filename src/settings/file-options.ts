import * as v from 'valibot'
import { noteAction, type Origin } from '../audit/audit.ts'
import { fieldOf } from '../config/config.ts'
import { type FileOptionName, type FileOptions, fileOptionNames } from '../config/file-options.ts'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'

const stored = v.object(v.entriesFromList(fileOptionNames, v.optional(v.string())))

/** The options that the file holds. */
export const loadFileOptions = (db: Db): FileOptions => {
  const found = loadState(db, 'options', stored) ?? {}
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined))
}

const entries = (text: string | undefined): number => (text ?? '').split(',').filter(item => item !== '').length

const addresses: readonly FileOptionName[] = ['mailTo', 'alertRecipients']

/** People's addresses are only in the option itself. */
const noteChange = (db: Db, origin: Origin, name: FileOptionName, from: string | undefined, to: string): void => {
  if (addresses.includes(name))
    noteAction(db, origin, 'setting_entries_changed', { setting: fieldOf(name), from: entries(from), to: entries(to) })
  else noteAction(db, origin, 'setting_changed', { setting: fieldOf(name), from: from ?? '', to })
}

/** Changes what is given, '' for the default again, and records who did it. @returns whether anything has changed */
export const saveFileOptions = (db: Db, changes: FileOptions, origin: Origin): boolean =>
  db
    .transaction(() => {
      const before = loadFileOptions(db)
      const changed = fileOptionNames.filter(
        name => changes[name] !== undefined && changes[name] !== (before[name] ?? ''),
      )
      for (const name of changed) noteChange(db, origin, name, before[name], changes[name] ?? '')
      const after = Object.entries({ ...before, ...changes }).filter(([, text]) => text !== '')
      if (changed.length > 0) saveState(db, 'options', Object.fromEntries(after))
      return changed.length > 0
    })
    .immediate()
