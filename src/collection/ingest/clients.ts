import * as v from 'valibot'
import { isPrivateAddress } from '../../lib/address/list.ts'
import { saveState } from '../../database/saved-state.ts'
import type { Db } from '../../database/query.ts'
import { withBusyTimeout } from '../../database/busy-timeout.ts'

/** Of so many last hits that pass the gates; with fewer nothing is concluded. */
const seenLast = 500
const fewest = 20
const nearlyAll = 0.9
/** Milliseconds that a note of no weight waits for another process that has the file. */
const patience = 100

/** What nearly all of the last hits have in common: one address, private addresses, or an address that no proxy names. */
export const observationSchema = v.object({ one: v.boolean(), private: v.boolean(), unnamed: v.boolean() })
export type Observation = v.InferOutput<typeof observationSchema>

/** Looks whether visitors can be told apart. Addresses stay in memory; only the conclusion is ever written. */
export type ClientWatch = {
  see: (address: string | null) => void
  observation: () => Observation
  /** Writes the conclusion down for the commands beside the service. */
  note: (db: Db) => void
}

export const createClientWatch = (): ClientWatch => {
  const last: (string | null)[] = []
  let at = 0
  const share = (holds: (address: string | null) => boolean): boolean =>
    last.length >= fewest && last.filter(holds).length > nearlyAll * last.length

  const mostFrequent = (): string | null => {
    const counts = new Map<string | null, number>()
    for (const address of last) counts.set(address, (counts.get(address) ?? 0) + 1)
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
    see: address => {
      last[at] = address
      at = (at + 1) % seenLast
    },
    observation,
    note: db => withBusyTimeout(db, patience, () => saveState(db, 'clients', observation())),
  }
}
