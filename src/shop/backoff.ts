import type { Sleep } from '../lib/sleep.ts'
import type { ShopAnswer, ShopClient } from './client.ts'
import { ShopError } from './errors.ts'

/** Attempts per request; with the waits between them, a shop may be down for about ten minutes. */
const maxAttempts = 9
/** Waits between attempts, in seconds. */
const firstWait = 2
const maxWait = 300
/** Upper bound of the Retry-After that is honoured, in seconds. */
const maxRetryAfter = 3600

/** Seconds to wait before the n-th retry. */
const backoffBefore = (retry: number, retryAfter: number | null): number =>
  Math.max(Math.min(firstWait * 2 ** (retry - 1), maxWait), Math.min(retryAfter ?? 0, maxRetryAfter))

type Options = {
  client: ShopClient
  sleep: Sleep
  /** Called before each wait with its length in seconds and the reason. */
  onWait: (seconds: number, reason: string) => void
}

/** Retries requests that failed temporarily, with growing waits that are never shorter than the shop's Retry-After. */
export const withBackoff = ({ client, sleep, onWait }: Options): ShopClient => ({
  address: client.address,
  get: async (path, parameters, signal): Promise<ShopAnswer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await client.get(path, parameters, signal)
      } catch (error) {
        if (!(error instanceof ShopError) || error.kind !== 'later') throw error
        if (attempt === maxAttempts)
          throw new ShopError('refused', `${error.message} It was tried ${maxAttempts} times.`, error)
        const seconds = backoffBefore(attempt, error.retryAfter)
        onWait(seconds, error.message)
        await sleep(seconds * 1000, signal)
      }
    }
  },
})
