/** Tasks that are done and still listed. */
const longest = 1024

/**
 * Begins one work a turn of the event loop: between two of them come connections, timers and hits. Many requests at once
 * hold nothing up for longer than the dearest of them.
 */
export const runOnePerTick = (): ((work: () => void) => void) => {
  let waiting: (() => void)[] = []
  let at = 0

  /** What is done is let go of now and then: taking the first out of a long list each time would move all others. */
  const tidy = (): void => {
    if (at < waiting.length && at < longest) return
    waiting = waiting.slice(at)
    at = 0
  }

  const next = (): void => {
    const work = waiting[at++]
    tidy()
    if (waiting.length > 0) setImmediate(next)
    work?.()
  }

  return work => {
    if (waiting.push(work) === 1) setImmediate(next)
  }
}
