import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Nice values below the collecting thread, but not so low that a thread would starve. Writers come before readers:
 * while a writer waits for a core, hits wait for its lock. A command's import writes in short transactions and has all the time:
 * with one core for it and 1,000 hits a second these wait for the core otherwise.
 */
const steps = { writing: 3, importing: 10, reading: 10 } as const

/**
 * Lowers the priority of the calling thread below that of the collecting thread. Only Linux has priorities per thread;
 * elsewhere this does nothing.
 */
export const lowerThreadPriority = (work: keyof typeof steps): void => {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), steps[work])
  } catch {
    // If the system does not permit it, all threads have the same priority.
  }
}
