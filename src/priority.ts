import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Well below the thread that takes hits, but not so low that it would get nothing beside a busy one. */
const background = 5

/**
 * Lets the thread that calls this give way to the one that takes hits. Linux schedules threads one by one; elsewhere a
 * thread has no priority of its own, and nothing happens.
 */
export const giveWay = (): void => {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), background)
  } catch {
    // Where the system forbids it, all threads are alike.
  }
}
