// The program's own files: inside the executable, or next to the bundle.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Bundled tests are in subfolders of the folder with the files. */
const searchFolders = ['.', '..', '../..']

/** The path of an asset; undefined inside the executable, where assets have no path. */
export const assetPath = (name: string): string | undefined => {
  if (isSea()) return undefined
  const path = searchFolders.map(folder => join(__dirname, folder, name)).find(file => existsSync(file))
  if (path === undefined) throw new Error(`The file ${name} is missing next to ${__filename}: run "npm run build".`)
  return path
}

/**
 * The content of an asset, read-only: inside the executable it is a view of the mapped file, which takes no extra
 * memory, and a write to it would kill the process.
 */
export const readAsset = (name: string): Buffer => {
  const path = assetPath(name)
  return path === undefined ? Buffer.from(getRawAsset(name)) : readFileSync(path)
}

/**
 * MiB of each semi-space of a worker's young generation. Node's option for workers has no effect if the process has
 * one, so V8's flag is set before a worker starts; running threads keep theirs.
 */
const youngMiB = 1

/** Starts a bundled script as a worker thread; inside the executable from its source text. */
export const startWorker = (name: string, options: WorkerOptions = {}): Worker => {
  const path = assetPath(name)
  setFlagsFromString(`--max-semi-space-size=${youngMiB}`)
  return path === undefined
    ? new Worker(readAsset(name).toString(), { ...options, eval: true })
    : new Worker(path, options)
}

/** The command line that starts this program: that of the executable, or Node with the bundle. */
export const ownCommand = (): string[] =>
  isSea() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? '')]

/**
 * The command line arguments of the user. Node and the executable both put two entries before them (the executable: its
 * path and the name it was called by).
 */
export const userArguments = (): string[] => process.argv.slice(2)
