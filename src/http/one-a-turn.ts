/**
 * Begins one work a turn of the event loop: between two of them come connections, timers and hits. Many requests at once
 * hold nothing up for longer than the dearest of them.
 */
export const oneATurn = (): ((work: () => void) => void) => {
  let waiting: (() => void)[] = []
  let at = 0

  const next = (): void => {
    const work = waiting[at++]
    if (at < waiting.length) setImmediate(next)
    else {
      waiting = []
      at = 0
    }
    work?.()
  }

  return work => {
    if (waiting.push(work) === 1) setImmediate(next)
  }
}
