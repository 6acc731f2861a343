import { tooManyRequests } from './errors.ts'

/** Milliseconds that a request waits for its turn by default. */
const defaultTimeout = 10_000

/**
 * Limits how many requests are served concurrently. The others wait, without their bodies being read.
 * `enter` returns the function that releases the slot.
 * @throws ApiError 429 after waiting for `timeout` milliseconds
 */
export const createConcurrencyLimit = (
  maxConcurrent: number,
  timeout = defaultTimeout,
): { enter: () => Promise<() => void> } => {
  const waiting: (() => void)[] = []
  let active = 0

  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) active -= 1
    else next()
  }

  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(tooManyRequests(Math.ceil(timeout / 1000)))
      }, timeout)
      waiting.push(turn)
    })

  return {
    enter: async () => {
      if (active < maxConcurrent) active += 1
      else await wait()
      return leave
    },
  }
}
