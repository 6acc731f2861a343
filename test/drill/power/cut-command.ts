// Runs a command to its end while strace records it, then leaves on the disk what a power cut in the midst would have left.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../../support/program.ts'
import { DrillFailure } from '../fixture.ts'
import type { RandomSource } from '../random.ts'
import { createDisk, type Files } from './disk.ts'
import { type Call, parseTrace, straceOptions } from './trace.ts'

/** Shared memory and locks mean nothing after a power cut. */
const isVolatile = (path: string): boolean => /-(shm|lock)(-journal)?$/.test(path)

/** The files of a folder, without what means nothing after a power cut. */
export const readFiles = (folder: string): Map<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .filter(path => !isVolatile(path))
      .map(path => [path, readFileSync(path)]),
  )

/** Makes the files of a folder those of a disk. */
export const writeFiles = (folder: string, files: Files): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && (isVolatile(path) || !files.has(path))) rmSync(path)
  }
  for (const [path, bytes] of files) {
    if (isVolatile(path) || !path.startsWith(`${folder}/`)) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes, { mode: 0o600 })
  }
}

/** A command line with what records it. */
export const recorded = (file: string, command: readonly string[]): string[] => [
  'strace',
  ...straceOptions,
  '-o',
  file,
  ...command,
]

/** Calls that change nothing of a folder matter to nobody. */
export const callsIn = (file: string, folder: string): Call[] => {
  const calls = parseTrace(readFileSync(file, 'latin1'))
  // Later calls say how many came before a sync: their number must not change.
  return calls.map(call => (call.do === 'answer' || call.path.startsWith(folder) ? call : { do: 'answer', text: '' }))
}

/** Compares the files that a trace leads to with those that are there: a call that the drill does not know would differ. */
export const expectComplete = (folder: string, whole: Files): void => {
  const there = readFiles(folder)
  for (const path of new Set([...there.keys(), ...[...whole.keys()].filter(path => !isVolatile(path))]))
    if (there.get(path)?.equals(whole.get(path) ?? Buffer.from('missing')) !== true)
      throw new DrillFailure(`the record of calls does not lead to ${path} as it is`)
}

/**
 * Cuts the power during command lines that work in a folder. One that begins with the same files as before is not run
 * again. Resolves with whether the cut came before the command's last change.
 */
export const createPowerCut = (folder: string, random: RandomSource) => {
  const traces = temporaryFolder()
  const known = new Map<string, Call[]>()
  const run = async (command: readonly string[], files: Files): Promise<Call[]> => {
    const file = traces.path('trace')
    const [name = '', ...words] = recorded(file, command)
    const env = { PATH: process.env.PATH, UV_USE_IO_URING: '0' }
    const [status] = await once(spawn(name, words, { stdio: ['ignore', 'ignore', 'inherit'], env }), 'close')
    if (status !== 0) throw new DrillFailure(`${command.join(' ')} ended with ${status}`)
    const calls = callsIn(file, folder)
    const disk = createDisk(files)
    for (const call of calls) disk.take(call)
    expectComplete(folder, disk.whole())
    return calls
  }
  return async (command: readonly string[]): Promise<boolean> => {
    const files = readFiles(folder)
    const hash = createHash('sha256').update(command.join('\n'))
    for (const [path, bytes] of [...files].sort()) hash.update(path).update(bytes)
    const key = hash.digest('hex')
    const calls = known.get(key) ?? (await run(command, files))
    known.set(key, calls)
    const last = calls.findLastIndex(call => call.do !== 'answer')
    const at = random.below(last + 2)
    const disk = createDisk(files)
    for (const call of calls.slice(0, at)) disk.take(call)
    writeFiles(folder, disk.cut(random))
    return at <= last
  }
}
