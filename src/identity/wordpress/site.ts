import { randomBytes } from 'node:crypto'
import { isPrivateAddress, parseAddress } from '../../lib/address/list.ts'
import { boundedText } from '../../lib/bounded-text.ts'
import { fetchFailure } from '../../lib/errors.ts'
import type { Credentials } from './credentials.ts'
import { isWordPress, type SiteResponse, type Verdict, verdictOf } from './verdict.ts'

export type SiteOptions = {
  /** URL of the site, with or without the `/wp-json` of its REST API. */
  url: string
  /** Milliseconds until a response must be complete. */
  timeout?: number
  /** Maximum bytes of a response. */
  limit?: number
}

/** Asks WordPress who the credentials belong to, on behalf of a client's address. Never rejects. */
export type AskSite = (credentials: Credentials, address: string | null) => Promise<Verdict>

const defaultTimeout = 5000
const defaultLimit = 256 * 1024
const userQuery = 'context=edit&_fields=id,username,slug,locale,roles,capabilities'

/** Whether credentials would be sent unencrypted over the internet: plain HTTP to a host that is not private. */
export const isUnencrypted = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  const address = parseAddress(hostname)
  const isPrivate = address !== null ? isPrivateAddress(address) : hostname === 'localhost' || !hostname.includes('.')
  return protocol === 'http:' && !isPrivate
}

/** With permalinks the REST API is at /wp-json; the other form works on every WordPress. */
const addressesOf = (url: string): readonly [string, string] => {
  const root = url.replace(/\/wp-json\/?$/, '')
  return [`${root}/wp-json/wp/v2/users/me?${userQuery}`, `${root}/?rest_route=/wp/v2/users/me&${userQuery}`]
}

const headersFor = (credentials: Credentials, address: string | null): Record<string, string> => ({
  accept: 'application/json',
  'user-agent': 'Footfall',
  'cache-control': 'no-cache',
  // Limits on wrong logins in WordPress must apply to the client, not to this service.
  ...(address !== null && { 'x-forwarded-for': address }),
  ...('authorization' in credentials
    ? { authorization: credentials.authorization }
    : { cookie: credentials.cookie, 'x-wp-nonce': credentials.nonce }),
})

const readBody = async (response: Response, limit: number): Promise<unknown> => {
  const { text, cut } = await boundedText(response, limit)
  if (cut) throw new Error('its response is too long')
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const createSite = ({ url, timeout = defaultTimeout, limit = defaultLimit }: SiteOptions): AskSite => {
  const addresses = addressesOf(url)
  /** The URL that WordPress has answered at. */
  let knownAddress: string | null = null

  const fetchOne = async (address: string, headers: Record<string, string>): Promise<SiteResponse> => {
    // Prevents a cache from answering one caller with the response for another.
    const response = await fetch(`${address}&_=${randomBytes(8).toString('hex')}`, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    return { status: response.status, headers: response.headers, body: await readBody(response, limit) }
  }

  return async (credentials, client) => {
    const headers = headersFor(credentials, client)
    const failure = (error: unknown): Verdict => {
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
      for (const address of knownAddress === null ? addresses : [knownAddress]) {
        const answer = await fetchOne(address, headers)
        if (isWordPress(answer)) {
          knownAddress = address
          return verdictOf(answer, address)
        }
        verdict ??= verdictOf(answer, address)
        // A firewall or proxy rejected the request, and would reject the other form as well.
        if (verdict.kind === 'stranger' || (verdict.kind === 'unusable' && !verdict.down)) break
      }
      knownAddress = null
      return verdict ?? { kind: 'stranger' }
    } catch (error) {
      return failure(error)
    }
  }
}
