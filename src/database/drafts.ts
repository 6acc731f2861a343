// Unfinished files: each is next to the file that it becomes, and its name ends with the number of the writing process.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** SQLite's own files of a draft have its name and more. */
const pattern = /\.partial-(\d+)(?:-\w+)?$/
/** Milliseconds without a change after which a draft is abandoned, although another process may have its number by now. */
const staleAfter = 24 * 3_600_000

/** Whether there is a process of this number. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Times of files are the machine's, whatever clock the service has. */
const isStale = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && performance.timeOrigin + performance.now() - stats.mtimeMs > staleAfter
}

type Draft = { path: string; pid: number }

const draftsIn = (folder: string, start: string): Draft[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(name => name.startsWith(start))
        .flatMap(name => {
          const pid = pattern.exec(name)?.[1]
          return pid === undefined ? [] : [{ path: join(folder, name), pid: Number(pid) }]
        })
    : []

/** The drafts of a folder that no process finishes, of files whose names begin with `start`. */
export const abandonedDrafts = (folder: string, start = ''): string[] =>
  draftsIn(folder, start)
    .filter(({ path, pid }) => !isRunning(pid) || isStale(path))
    .map(({ path }) => path)

const remove = (paths: readonly string[]): void => {
  for (const path of paths) rmSync(path, { force: true })
}

/** Removes what ended processes have left in a folder, of files whose names begin with `start`. */
export const removeAbandoned = (folder: string, start = ''): void => remove(abandonedDrafts(folder, start))

/** Removes the drafts of this process, in whichever of its threads they were written. */
export const removeOwnDrafts = (folder: string, start = ''): void =>
  remove(
    draftsIn(folder, start)
      .filter(({ pid }) => pid === process.pid)
      .map(({ path }) => path),
  )

/** Removes the drafts of one file, but for those that another process is still writing. */
export const removeDrafts = (path: string): void => {
  const [folder, start] = [dirname(path), `${basename(path)}.partial-`]
  remove(abandonedDrafts(folder, start))
  removeOwnDrafts(folder, start)
}

/** The path of a file's draft. */
export const draftOf = (path: string): string => `${path}.partial-${process.pid}`
