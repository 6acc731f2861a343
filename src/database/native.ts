// Loads the SQLite addon. A system loader takes files only, so the executable puts its addon into a file without
// a name: nothing is left behind, and nobody can exchange it.
import { randomBytes } from 'node:crypto'
import { closeSync, constants, existsSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { assetPath, readAsset } from '../runtime/assets.ts'

const addonName = 'better_sqlite3.node'
const sharedPath = 'footfall.sqlite-addon'
let addon: object | undefined

const load = (path: string): object => {
  const module: { exports: object } = { exports: {} }
  process.dlopen(module, path)
  return module.exports
}

/** Folders to try, in order. The executable's own folder comes last: it certainly allows executables. */
const candidates = (dataFolder: string | undefined): string[] => {
  const { FOOTFALL_CACHE_DIR, XDG_RUNTIME_DIR, XDG_CACHE_HOME, HOME } = process.env
  const folders = [
    FOOTFALL_CACHE_DIR,
    dataFolder,
    XDG_RUNTIME_DIR,
    XDG_CACHE_HOME,
    HOME && join(HOME, '.cache'),
    tmpdir(),
    dirname(process.execPath),
  ]
  return [
    ...new Set(folders.filter(folder => folder !== undefined && folder !== '').map(folder => resolve(String(folder)))),
  ]
}

/**
 * Loads the addon from one folder; returns it with the path it was loaded from.
 * The descriptor stays open, so that worker threads load the very same file by the same path.
 */
const loadFrom = (folder: string): { addon: object; path: string } => {
  const name = join(folder, `.footfall-${randomBytes(12).toString('hex')}`)
  const file = openSync(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  const descriptor = `/proc/self/fd/${file}`
  const nameless = existsSync(descriptor)
  try {
    if (nameless) unlinkSync(name)
    writeFileSync(file, readAsset(addonName))
    const path = nameless ? descriptor : name
    return { addon: load(path), path }
  } catch (error) {
    closeSync(file)
    throw error
  } finally {
    if (!nameless) unlinkSync(name)
  }
}

const reasons: [RegExp, string][] = [
  [/failed to map segment|Operation not permitted/, 'does not let programs run (mounted noexec?)'],
  [/ENOENT|ENOTDIR/, 'does not exist'],
  [/EACCES|EPERM|EROFS/, 'cannot be written to'],
  [/ENOSPC|EDQUOT/, 'is full'],
]

const reason = (error: unknown): string => {
  const text = String(error)
  if (/GLIBC|CXXABI/.test(text)) {
    throw new Error(`Footfall needs glibc 2.34 or newer (Debian 12, Ubuntu 22.04, RHEL 9): ${text}`, { cause: error })
  }
  return reasons.find(([pattern]) => pattern.test(text))?.[1] ?? text
}

const unpack = (dataFolder: string | undefined): object => {
  const refusals: string[] = []
  for (const folder of candidates(dataFolder)) {
    try {
      const loaded = loadFrom(folder)
      setEnvironmentData(sharedPath, loaded.path)
      return loaded.addon
    } catch (error) {
      refusals.push(`  ${folder} ${reason(error)}`)
    }
  }
  throw new Error(
    [
      'Footfall cannot load its SQLite library: it needs a folder that it may write to and that lets programs run, for a moment at each start. Tried:',
      ...refusals,
      'Set FOOTFALL_CACHE_DIR to such a folder.',
    ].join('\n'),
  )
}

/**
 * Two copies of SQLite in one process do not see each other's file locks and can corrupt a database
 * (https://www.sqlite.org/howtocorrupt.html, 2.2.1), so a thread takes the copy that the main thread has loaded.
 */
const loadShared = (): object => {
  const path = getEnvironmentData(sharedPath)
  if (typeof path !== 'string') throw new Error('A thread was started before the main thread had loaded SQLite.')
  return load(path)
}

const loadAddon = (dataFolder: string | undefined): object => {
  if (Number(process.versions.napi) < 10) {
    throw new Error(`Footfall needs Node 22.14 or newer; this is Node ${process.version}.`)
  }
  const path = assetPath(addonName)
  if (path !== undefined) return load(path)
  return isMainThread ? unpack(dataFolder) : loadShared()
}

/**
 * The SQLite addon, to be handed to better-sqlite3 as `nativeBinding`; loaded once a thread.
 * @param dataFolder the database's folder, which may serve to load the addon when no folder was named for it
 * @throws an Error that names each folder tried, when none can be used
 */
export const sqliteAddon = (dataFolder?: string): object => (addon ??= loadAddon(dataFolder))
