/** Maximum finished tasks that stay in the queue. */
const maxFinished = 1024

/**
 * Runs one task per turn of the event loop, so that connections, timers and hits are served in between. Many
 * simultaneous requests block the thread for no longer than the most expensive one.
 */
export const runOnePerTick = (): ((work: () => void) => void) => {
  let queue: (() => void)[] = []
  let position = 0

  /** Drops finished tasks in batches: `shift` moves all the others each time. */
  const dropFinished = (): void => {
    if (position < queue.length && position < maxFinished) return
    queue = queue.slice(position)
    position = 0
  }

  const next = (): void => {
    const work = queue[position++]
    dropFinished()
    if (queue.length > 0) setImmediate(next)
    work?.()
  }

  return work => {
    if (queue.push(work) === 1) setImmediate(next)
  }
}
