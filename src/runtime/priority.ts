import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Steps below the thread that takes hits, but not so low that a thread would starve beside a busy one. Writers come before
 * readers: while a writer is kept from its core, hits wait for its lock.
 */
const steps = { writing: 3, reading: 10 } as const

/**
 * Lowers the priority of the calling thread below the one that takes hits. Linux schedules each thread by itself; elsewhere a
 * thread has no priority of its own, and this does nothing.
 */
export const lowerThreadPriority = (work: keyof typeof steps): void => {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), steps[work])
  } catch {
    // Where the system forbids it, all threads are alike.
  }
}
