/** Tasks that are done and still listed. */
const maxFinished = 1024

/**
 * Begins one work a turn of the event loop: between two of them come connections, timers and hits. Many requests at once
 * hold nothing up for longer than the dearest of them.
 */
export const runOnePerTick = (): ((work: () => void) => void) => {
  let queue: (() => void)[] = []
  let position = 0

  /** What is done is let go of now and then: taking the first out of a long list each time would move all others. */
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
