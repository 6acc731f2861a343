import { tooManyRequests } from './errors.ts'

/** Milliseconds that a request usually waits for its turn. */
const usualPatience = 10_000

/**
 * Lets a number of requests in at once; the others wait a while, without their bodies being read.
 * `enter` gives what ends the turn.
 * @throws ApiError 429 when the wait was in vain
 */
export const createConcurrencyLimit = (
  most: number,
  patience = usualPatience,
): { enter: () => Promise<() => void> } => {
  const waiting: (() => void)[] = []
  let inside = 0

  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) inside -= 1
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
        reject(tooManyRequests(Math.ceil(patience / 1000)))
      }, patience)
      waiting.push(turn)
    })

  return {
    enter: async () => {
      if (inside < most) inside += 1
      else await wait()
      return leave
    },
  }
}
