// The files that belong to the program: inside the executable, or beside the bundle.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Bundled tests lie in dist/test and its folders, below the files. */
const upwards = ['.', '..', '../..']

/** Where an asset lies; inside the executable an asset has no path: undefined. */
export const assetPath = (name: string): string | undefined => {
  if (isSea()) return undefined
  const path = upwards.map(up => join(__dirname, up, name)).find(file => existsSync(file))
  if (path === undefined) throw new Error(`The file ${name} is missing beside ${__filename}: run "npm run build".`)
  return path
}

/**
 * An asset's bytes, for reading only: inside the executable they are a view of the mapped file,
 * which costs no memory of its own, and a write to it would kill the process.
 */
export const readAsset = (name: string): Buffer => {
  const path = assetPath(name)
  return path === undefined ? Buffer.from(getRawAsset(name)) : readFileSync(path)
}

/**
 * MiB of each semi-space of a worker's young generation. Node's own option takes the same for all threads as soon as the
 * process has it, so V8 is told before a worker starts; the threads that run already keep theirs.
 */
const youngMiB = 1

/** Starts a bundled script as a worker thread; inside the executable it is started from its text. */
export const startWorker = (name: string, options: WorkerOptions = {}): Worker => {
  const path = assetPath(name)
  setFlagsFromString(`--max-semi-space-size=${youngMiB}`)
  return path === undefined
    ? new Worker(readAsset(name).toString(), { ...options, eval: true })
    : new Worker(path, options)
}

/**
 * What the user typed after the program's name. Node and the executable both put two entries before it
 * (the executable: its path and the name it was called by), so commander takes it with `{ from: 'user' }`.
 */
export const userArguments = (): string[] => process.argv.slice(2)
