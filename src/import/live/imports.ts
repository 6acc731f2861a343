// Imports of histories in a running service: listed, and undone in the background.
import type { Db } from '../../database/query.ts'
import { ApiError } from '../../http/errors.ts'
import type { Tasks } from '../../maintenance/tasks.ts'
import { type Imported, importedDays } from '../../rollup/imported.ts'
import { historiesVersion, listHistories, type StoredImport } from '../../rollup/imports.ts'
import { holdImports } from './beside.ts'

/** `undoing` while an undo is under way; `unfinished` after an interruption. */
export type ImportState = 'done' | 'unfinished' | 'undoing' | 'undone'

export type ListedImport = StoredImport & { state: ImportState }

export type Imports = {
  list: () => ListedImport[]
  /**
   * Starts to undo an import.
   * @throws ApiError if there is no such import, or another one is running or being undone
   */
  undo: (id: number) => ListedImport
  /** The days whose figures were imported. */
  days: () => readonly Imported[]
}

type Options = {
  db: Db
  tasks: Pick<Tasks, 'undoImport'>
  /** The current time in seconds. */
  now: () => number
  onError: (error: unknown) => void
}

const unknown = (): ApiError => new ApiError(404, 'rest_import_not_found', 'Import not found.')

export const createImports = ({ db, tasks, now, onError }: Options): Imports => {
  let days: readonly Imported[] = []
  let version = ''
  let undoing: number | null = null

  const stateOf = ({ id, undone_at, finished_at }: StoredImport): ImportState => {
    if (undone_at !== null) return 'undone'
    if (undoing === id) return 'undoing'
    return finished_at === null ? 'unfinished' : 'done'
  }
  const list = (): ListedImport[] => listHistories(db).map(stored => ({ ...stored, state: stateOf(stored) }))
  const find = (id: number): ListedImport => {
    const found = list().find(one => one.id === id)
    if (found === undefined) throw unknown()
    return found
  }

  /** No import runs beside it. */
  const start = (id: number): void => {
    const release = holdImports(db.name)
    undoing = id
    tasks
      .undoImport(id, now())
      .catch(onError)
      .finally(() => {
        undoing = null
        release()
      })
  }

  return {
    list,
    // A command may have imported some meanwhile.
    days: () => {
      const now = historiesVersion(db)
      if (now !== version) days = importedDays(db)
      version = now
      return days
    },
    undo: id => {
      const { state } = find(id)
      if (state === 'undone') throw new ApiError(409, 'rest_import_undone', 'This import is undone already.')
      if (undoing !== null) throw new ApiError(409, 'rest_import_busy', 'An import is being undone. Try again later.')
      start(id)
      return find(id)
    },
  }
}
