import type { ApiError } from '../http/errors.ts'
import type { Collector } from './collector.ts'
import type { Body } from './ingest/fields/common.ts'
import type { Incoming, Outcome } from './record.ts'

/** What became of a request; `error` only where the client did something wrong. */
export type Collected = { outcome: Outcome; error?: ApiError }

/** Has a request collected, for those who can wait for a promise; it rejects only for a bug. */
export const collected = (
  { collect }: Pick<Collector, 'collect'>,
  incoming: Incoming,
  body: Body,
): Promise<Collected> =>
  new Promise((resolve, reject) => {
    collect(incoming, body, {
      settle: (outcome, error) => resolve(error === undefined ? { outcome } : { outcome, error }),
      fail: reject,
    })
  })
