// Waiting with a timeout.

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Seconds that a test waits for what must come. It only ends what would hang: on a busy machine anything takes long. */
export const patience = 120

/** Seconds that a test waits once another of its file has waited in vain: the file has failed, and is to say so soon. */
export const littlePatience = 15

let isSpent = false
/** Seconds to wait now. */
export const leftPatience = (): number => (isSpent ? littlePatience : patience)
/** Called when a test has failed. */
export const spendPatience = (): void => {
  isSpent = true
}

/** Retries until `work` succeeds; throws its last error after a timeout. */
export const until = async <T>(work: () => T | Promise<T>, seconds = leftPatience()): Promise<T> => {
  const end = Date.now() + seconds * 1000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end) {
        spendPatience()
        throw error
      }
    }
    await pause(50)
  }
}

/** Resolves with `awaited`, or rejects with `name` after a timeout. */
export const within = async <T>(name: string, awaited: Promise<T>, seconds = leftPatience()): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      spendPatience()
      reject(new Error(`Waited ${seconds} seconds for ${name}.`))
    }, seconds * 1000)
  })
  try {
    return await Promise.race([awaited, timeout])
  } finally {
    clearTimeout(timer)
  }
}
