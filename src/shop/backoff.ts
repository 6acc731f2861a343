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

/** How often one request is sent; with the waits between, a shop may be down for some ten minutes. */
const maxAttempts = 9
const firstWait = 2
const maxWait = 300
/** The longest Retry-After that is honoured. */
const maxRetryAfter = 3600

/** Seconds before the n-th retry. */
const backoffBefore = (retry: number, retryAfter: number | null): number =>
  Math.max(Math.min(firstWait * 2 ** (retry - 1), maxWait), Math.min(retryAfter ?? 0, maxRetryAfter))

type Options = {
  client: ShopClient
  pause: Pause
  /** Called before each wait, with its seconds and the reason. */
  onWait: (seconds: number, reason: string) => void
}

/** Retries requests that failed temporarily, with growing waits that are never shorter than the shop's Retry-After. */
export const withBackoff = ({ client, pause: wait, onWait }: Options): ShopClient => ({
  address: client.address,
  get: async (path, parameters, signal): Promise<ShopAnswer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await client.get(path, parameters, signal)
      } catch (error) {
        if (!(error instanceof ShopError) || error.kind !== 'later') throw error
        if (attempt === maxAttempts)
          throw new ShopError('refused', `${error.message} It was tried ${maxAttempts} times.`, error)
        const seconds = backoffBefore(attempt, error.after)
        onWait(seconds, error.message)
        await wait(seconds * 1000, signal)
      }
    }
  },
})
