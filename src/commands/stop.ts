/** Counted one by one: seconds in which the machine stood still, or was suspended, do not count. */
const seconds = 10

/**
 * Resolves with the first SIGTERM or SIGINT. A second one ends the process immediately. A stop that hangs ends it
 * after a timeout, because a supervisor would kill it without a message.
 */
export const stopSignal = (warn: (line: string) => void): Promise<string> =>
  new Promise(resolve => {
    const giveUp = (): void => {
      warn(`Footfall did not stop within ${seconds} seconds and was terminated. Acknowledged data is saved.`)
      process.exit(1)
    }
    let stopping = false
    const stop = (signal: string): void => {
      if (stopping) process.exit(1)
      stopping = true
      let left = seconds
      setInterval(() => {
        left -= 1
        if (left === 0) giveUp()
      }, 1000).unref()
      resolve(signal)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })

/** Returns a function that reports whether a stop was requested. */
export const watchStopSignal = (warn: (line: string) => void): (() => boolean) => {
  let stopped = false
  void stopSignal(warn).then(() => {
    stopped = true
  })
  return () => stopped
}
