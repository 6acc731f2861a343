import { lookup } from 'node:dns/promises'
import { isPrivateAddress, parseAddress } from '../../lib/address/list.ts'
import type { CheckResult } from '../result.ts'
import { blockerWarnings } from './blockers.ts'
import { sendHit } from './hit.ts'
import { defaultLimits, type Limits } from './load.ts'
import { blockedRequests, findApi, findTag } from './page.ts'

type Lookup = (host: string) => Promise<readonly string[]>

const lookUp: Lookup = async host => (await lookup(host, { all: true })).map(({ address }) => address)

const isPrivate = (text: string): boolean => {
  const address = parseAddress(text)
  return address !== null && isPrivateAddress(address)
}

/** Whether a host is reached over a local network: by its name, its address, or the addresses that its name has here. */
export const isLocalHost = async (host: string, addressesOf: Lookup = lookUp): Promise<boolean> => {
  const plain = host.replace(/^\[|\]$/g, '')
  if (parseAddress(plain) !== null) return isPrivate(plain)
  if (/(?:^|\.)localhost$|\.(?:test|local|internal)$/.test(plain)) return true
  const addresses = await addressesOf(plain).catch(() => [])
  return addresses.length > 0 && addresses.every(isPrivate)
}

export type CheckOptions = {
  page: string
  /** Paths under which the tracker is served. */
  trackerPaths: readonly string[]
  /** The tracker's text, with its placeholders. */
  tracker: string
  limits?: Limits
  /** Whether a host is reached over a local network, so that client addresses cannot be checked. */
  isLocal?: (host: string) => Promise<boolean>
}

/** Checks in order: page, snippet, tracker, hit, client address. Stops at the first failure. */
export const checkSite = async ({
  page: address,
  trackerPaths,
  tracker,
  limits = defaultLimits,
  isLocal = isLocalHost,
}: CheckOptions): Promise<CheckResult[]> => {
  const { steps, value: page } = await findTag(address, trackerPaths, limits)
  if (page === null) return steps
  const api = await findApi(page.tag, tracker, limits)
  steps.push(...api.steps)
  if (api.value === null) return steps
  steps.push(...blockerWarnings(page, api.value))
  const blocked = blockedRequests(page, api.value)
  return [...steps, ...(blocked.length > 0 ? blocked : await sendHit(api.value, page, limits, isLocal))]
}
