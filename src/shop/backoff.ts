import { ShopError } from './errors.ts'
import type { ShopAnswer, ShopClient } from './client.ts'

/** Waits; ends early when the signal is aborted, with its reason. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const pause: Pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })

/** How often one request is sent: with the pauses between, a shop may be away for some ten minutes. */
const attempts = 9
const firstPause = 2
const longestPause = 300
/** A shop that asks for more is asked again after this all the same. */
const longestAsked = 3600

/** Seconds before the n-th repetition. */
const pauseBefore = (repetition: number, asked: number | null): number =>
  Math.max(Math.min(firstPause * 2 ** (repetition - 1), longestPause), Math.min(asked ?? 0, longestAsked))

type Options = {
  client: ShopClient
  pause: Pause
  /** Hears of each pause before it begins: its seconds, and why. */
  waiting: (seconds: number, reason: string) => void
}

/** The same client, but what may pass by itself is asked again, after pauses that grow and never below what the shop asks for. */
export const withBackoff = ({ client, pause: wait, waiting }: Options): ShopClient => ({
  address: client.address,
  get: async (path, parameters, signal): Promise<ShopAnswer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await client.get(path, parameters, signal)
      } catch (error) {
        if (!(error instanceof ShopError) || error.kind !== 'later') throw error
        if (attempt === attempts)
          throw new ShopError('refused', `${error.message} It was tried ${attempts} times.`, error)
        const seconds = pauseBefore(attempt, error.after)
        waiting(seconds, error.message)
        await wait(seconds * 1000, signal)
      }
    }
  },
})
