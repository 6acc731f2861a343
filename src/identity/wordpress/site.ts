import { randomBytes } from 'node:crypto'
import { fetchFailure } from '../../lib/errors.ts'
import { isPrivateAddress } from '../../lib/address/list.ts'
import { parseAddress } from '../../lib/address/text.ts'
import type { Credentials } from './credentials.ts'
import { isWordPress, verdictOf, type SiteAnswer, type Verdict } from './verdict.ts'

export type SiteOptions = {
  /** Address of the site, with or without the `/wp-json` of its REST API. */
  url: string
  /** Milliseconds for one answer, all of it. */
  timeout?: number
  /** Bytes of one answer. */
  limit?: number
}

/** Asks the site whose credentials these are, on behalf of a client's address. Never rejects. */
export type AskSite = (credentials: Credentials, address: string | null) => Promise<Verdict>

const defaultTimeout = 5000
const defaultLimit = 256 * 1024
const wanted = 'context=edit&_fields=id,username,slug,locale,roles,capabilities'

/** Whether credentials would cross the internet for everybody to read: plain http to another host than one of one's own. */
export const isOpenToAll = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  const address = parseAddress(hostname)
  const isOwn = address !== null ? isPrivateAddress(address) : hostname === 'localhost' || !hostname.includes('.')
  return protocol === 'http:' && !isOwn
}

/** With permalinks the REST API has a path of its own; the other form works on every WordPress. */
const addressesOf = (url: string): readonly [string, string] => {
  const root = url.replace(/\/wp-json\/?$/, '')
  return [`${root}/wp-json/wp/v2/users/me?${wanted}`, `${root}/?rest_route=/wp/v2/users/me&${wanted}`]
}

const headersFor = (credentials: Credentials, address: string | null): Record<string, string> => ({
  accept: 'application/json',
  'user-agent': 'Footfall',
  'cache-control': 'no-cache',
  // Limits on wrong logins there must fall on who tries, not on this service.
  ...(address !== null && { 'x-forwarded-for': address }),
  ...('authorization' in credentials
    ? { authorization: credentials.authorization }
    : { cookie: credentials.cookie, 'x-wp-nonce': credentials.nonce }),
})

const readBody = async (response: Response, limit: number): Promise<unknown> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > limit) throw new Error('its answer is too long')
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    return undefined
  }
}

export const createSite = ({ url, timeout = defaultTimeout, limit = defaultLimit }: SiteOptions): AskSite => {
  const addresses = addressesOf(url)
  /** The form that has been answered by a WordPress. */
  let known: string | null = null

  const fetchOne = async (address: string, headers: Record<string, string>): Promise<SiteAnswer> => {
    // No cache on the way may answer one caller with what it has kept of another.
    const response = await fetch(`${address}&_=${randomBytes(8).toString('hex')}`, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    return { status: response.status, headers: response.headers, body: await readBody(response, limit) }
  }

  return async (credentials, client) => {
    const headers = headersFor(credentials, client)
    const failed = (error: unknown): Verdict => {
      const late = error instanceof Error && error.name === 'TimeoutError'
      return {
        kind: 'unusable',
        reason: late
          ? `it took longer than ${timeout / 1000} seconds`
          : `it could not be reached (${fetchFailure(error)})`,
        down: true,
      }
    }
    try {
      let verdict: Verdict | null = null
      for (const address of known === null ? addresses : [known]) {
        const answer = await fetchOne(address, headers)
        if (isWordPress(answer)) {
          known = address
          return verdictOf(answer, address)
        }
        verdict ??= verdictOf(answer, address)
        // Refused by what stands before it: the other form would be as well.
        if (verdict.kind === 'stranger' || (verdict.kind === 'unusable' && !verdict.down)) break
      }
      known = null
      return verdict ?? { kind: 'stranger' }
    } catch (error) {
      return failed(error)
    }
  }
}
