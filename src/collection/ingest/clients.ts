import * as v from 'valibot'
import { tryWithBusyTimeout } from '../../database/busy-timeout.ts'
import type { Db } from '../../database/query.ts'
import { saveState } from '../../database/saved-state.ts'
import { isPrivateAddress } from '../../lib/address/list.ts'

/** Observed are the last hits that passed the gates, at least `minHits`. */
const windowSize = 500
const minHits = 20
const minShare = 0.9
/** Milliseconds to wait for a locked file; the observation is not important. */
const busyTimeout = 100

/** What nearly all recent hits share: one address, private addresses, or no address from the proxy. */
export const observationSchema = v.object({ one: v.boolean(), private: v.boolean(), unnamed: v.boolean() })
export type Observation = v.InferOutput<typeof observationSchema>

/** Detects whether visitors can be distinguished. Addresses stay in memory; only the observation is saved. */
export type ClientWatch = {
  add: (address: string | null) => void
  observation: () => Observation
  /** Saves the observation for commands that run in other processes. */
  save: (db: Db) => void
}

export const createClientWatch = (): ClientWatch => {
  const addresses: (string | null)[] = []
  let at = 0
  const share = (holds: (address: string | null) => boolean): boolean =>
    addresses.length >= minHits && addresses.filter(holds).length > minShare * addresses.length

  const mostFrequent = (): string | null => {
    const counts = new Map<string | null, number>()
    for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1)
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null
  }

  const observation = (): Observation => {
    const most = mostFrequent()
    return {
      one: most !== null && share(address => address === most),
      private: share(address => address !== null && isPrivateAddress(address)),
      unnamed: share(address => address === null),
    }
  }

  return {
    add: address => {
      addresses[at] = address
      at = (at + 1) % windowSize
    },
    observation,
    save: db => void tryWithBusyTimeout(db, busyTimeout, () => saveState(db, 'clients', observation())),
  }
}
