// Imports of histories in a running service: listed, and undone in the background.
import type { Db } from '../../database/query.ts'
import { ApiError } from '../../http/errors.ts'
import type { Tasks } from '../../maintenance/tasks.ts'
import { type Imported, importedDays } from '../../rollup/imported.ts'
import { historiesVersion, listHistories, type StoredImport } from '../../rollup/imports.ts'
import type { Importer } from './importer.ts'

/** `undoing` while an undo is under way; `unfinished` after an interruption. */
export type ImportState = 'done' | 'unfinished' | 'undoing' | 'undone'

export type ListedImport = StoredImport & { state: ImportState }

export type Imports = {
  list: () => ListedImport[]
  /**
   * Starts to undo an import.
   * @throws ApiError if there is no such import, or another one is being undone
   */
  undo: (id: number) => ListedImport
  /** The days whose figures were imported. */
  days: () => readonly Imported[]
}

type Options = {
  db: Db
  tasks: Pick<Tasks, 'undoImport'>
  importer: Pick<Importer, 'isWriting'>
  /** The current time in seconds. */
  now: () => number
  onError: (error: unknown) => void
}

const unknown = (): ApiError => new ApiError(404, 'rest_import_not_found', 'Import not found.')

export const createImports = ({ db, tasks, importer, now, onError }: Options): Imports => {
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

  const start = (id: number): void => {
    undoing = id
    tasks
      .undoImport(id, now())
      .catch(onError)
      .finally(() => {
        undoing = null
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
      if (importer.isWriting())
        throw new ApiError(409, 'rest_import_busy', 'An import is running. Undo this one when it is done.')
      if (undoing !== null) throw new ApiError(409, 'rest_import_busy', 'An import is being undone. Try again later.')
      start(id)
      return find(id)
    },
  }
}
