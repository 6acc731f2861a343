import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Steps below the thread that takes hits, but not so low that a thread would get nothing beside a busy one. What writes comes
 * before what only reads: while it is kept from its core, hits wait for its lock.
 */
const steps = { writing: 3, reading: 10 } as const

/**
 * Lets the thread that calls this give way to the one that takes hits. Linux schedules threads one by one; elsewhere a
 * thread has no priority of its own, and nothing happens.
 */
export const lowerThreadPriority = (work: keyof typeof steps): void => {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), steps[work])
  } catch {
    // Where the system forbids it, all threads are alike.
  }
}
