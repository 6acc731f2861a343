const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Does work of a command, and cleans up if a signal ends the process meanwhile. Threads do not hear signals. */
export const cleanOnSignal = async <T>(clean: () => void, work: () => Promise<T>): Promise<T> => {
  const stopListening = (): void => {
    for (const signal of signals) process.off(signal, end)
  }
  const end = (signal: NodeJS.Signals): void => {
    clean()
    stopListening()
    process.kill(process.pid, signal)
    // A container's first process does not end by a signal that nothing handles.
    process.exit(1)
  }
  for (const signal of signals) process.on(signal, end)
  try {
    return await work()
  } finally {
    stopListening()
  }
}
