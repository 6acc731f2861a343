import { resolve } from 'node:path'
import { readOptions, UsageError } from '../config/config.ts'
import { isServed } from '../database/lock.ts'
import { openReadOnly } from '../database/open.ts'
import type { Db } from '../database/query.ts'
import type { Beside } from '../import/history/prepare.ts'
import { createProgress } from '../import/progress.ts'
import { ExpectedError } from '../lib/errors.ts'
import { dayText, timeText, toSeconds } from '../lib/time.ts'
import { undoHistory } from '../maintenance/undo-import.ts'
import { daysOfHistory, listHistories, type StoredImport } from '../rollup/imports.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Call } from './command.ts'
import { noteCommand, withDatabaseAlone } from './database.ts'
import { withDatabaseBeside } from './import-beside.ts'
import { count, printRows } from './listing.ts'

const stateOf = ({ finished_at, undone_at }: StoredImport): string =>
  undone_at !== null ? 'undone' : finished_at === null ? 'unfinished' : 'done'

const rowOf = (stored: StoredImport) => ({
  id: String(stored.id),
  format: stored.format,
  grain: stored.grain,
  state: stateOf(stored),
  first_day: dayText(stored.first_day),
  last_day: dayText(stored.last_day),
  days: String(stored.days),
  rows: String(stored.rows),
  refused: String(stored.refused),
  started_at: timeText(stored.started_at),
})

/** Opens the file for reading only: the service may be running. */
const withReader = <Result>({ flags, env }: Call, read: (db: Db) => Result): Result => {
  const db = openReadOnly(readOptions(['data'], flags, env).data)
  try {
    return read(db)
  } finally {
    db.close()
  }
}

/** Runs `import --list`. */
export const listImports = (call: Call): number =>
  withReader(call, db => {
    printRows(call, listHistories(db).map(rowOf), 'No history has been imported.')
    return 0
  })

const findImport = (db: Db, { flags }: Call): StoredImport => {
  const text = String(flags.undo)
  if (!/^\d+$/.test(text)) throw new UsageError(`--undo takes the number of an import, not '${text}'.`)
  const found = listHistories(db).find(({ id }) => id === Number(text))
  if (found === undefined)
    throw new ExpectedError(`There is no import ${text}. 'footfall import --list' shows those that there are.`)
  if (found.undone_at !== null) throw new ExpectedError(`The import ${text} is undone already.`)
  return found
}

/** Runs `import --undo`. */
export const undoImport = async (call: Call): Promise<number> => {
  const { flags, clock, print } = call
  if (flags.dryRun === true)
    return withReader(call, db => {
      const found = findImport(db, call)
      const days = daysOfHistory(db, found.id).length
      print(
        `Would remove ${count(days, 'day')} of ${found.format}, ` +
          `between ${dayText(found.first_day)} and ${dayText(found.last_day)}.`,
      )
      return 0
    })
  const path = resolve(readOptions(['data'], flags, call.env).data)
  const remove = async (db: Db, pause?: Beside['pause']): Promise<number> => {
    const found = findImport(db, call)
    const progress = createProgress(process.stderr, 'Removing', clock)
    const show = (done: number, all: number): void => progress.show(done / all, done)
    const days = await undoHistory(db, chooseZone(db, null), found, toSeconds(clock()), show, pause)
    progress.clear()
    noteCommand(call, db, 'import_undone', { format: found.format })
    print(`Removed ${count(days, 'day')} of ${found.format}.`)
    return 0
  }
  if (!isServed(path)) return withDatabaseAlone(call, 'import', true, remove)
  return withDatabaseBeside(call, (db, { pause }) => remove(db, pause))
}
