// Waiting with a timeout.

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Seconds that a test waits for what must come. It only ends what would hang: on a busy machine anything takes long. */
export const patience = 120

/** Retries until `work` succeeds; throws its last error after a timeout. */
export const until = async <T>(work: () => T | Promise<T>, seconds = patience): Promise<T> => {
  const end = Date.now() + seconds * 1000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end) throw error
    }
    await pause(50)
  }
}

/** Resolves with `awaited`, or rejects with `name` after a timeout. */
export const within = async <T>(name: string, awaited: Promise<T>, seconds = patience): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${seconds} seconds for ${name}.`)), seconds * 1000)
  })
  try {
    return await Promise.race([awaited, timeout])
  } finally {
    clearTimeout(timer)
  }
}
