import { createHash } from 'node:crypto'
import type { Identity } from '../../http/endpoint.ts'
import { ApiError, invalidNonce } from '../../http/errors.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import { type Clock, toSeconds } from '../../lib/time.ts'
import { withViewerRoles } from '../roles.ts'
import { authorizationOf, cookieCredentials, loginCookies } from './credentials.ts'
import { createSite, type SiteOptions } from './site.ts'
import type { Verdict, WordPressUser } from './verdict.ts'
import { createVerifier } from './verifier.ts'

export type WordPressOptions = SiteOptions & {
  clock: Clock
  onFailure: (reason: string) => void
  /** Roles of the site whose users may read reports. */
  viewerRoles: readonly string[]
}

/** A request to identify. `nonce` is undefined if none was sent. `needed`: the route requires an identity. */
export type IdentityRequest = { request: Request; address: string | null; nonce: string | undefined; needed: boolean }

/** Identification by credentials of the WordPress site at --wordpress-url (api.md §2.4). */
export type WordPress = {
  /**
   * Identifies a caller, with a fresh nonce for cookies; null if WordPress does not know the credentials.
   * @throws ApiError 403 for a wrong nonce, 429 after too many requests, 503 if WordPress is unavailable
   */
  identify: (request: IdentityRequest) => Promise<{ identity: Identity; nonce: string | null } | null>
  /** The roles of a Cookie header, as far as a request to the API has revealed them; synchronous. */
  rolesOf: (cookieHeader: string | undefined) => readonly string[]
}

/** Seconds that the roles of a cookie are remembered. */
const rolesLifetime = 12 * 3600
const maxRoles = 1000

const identityOf = (
  { id, login, locale, roles, capabilities }: WordPressUser,
  viewerRoles: readonly string[],
): Identity => ({
  id: `wp:${id}`,
  login,
  role: roles[0] ?? '',
  locale,
  capabilities: withViewerRoles(capabilities, roles, viewerRoles),
  userId: null,
})

/** 503: the request is valid, and the caller may retry. */
const unavailable = (): ApiError =>
  new ApiError(
    503,
    'identity_unavailable',
    'WordPress is currently unavailable, so your login cannot be verified. Try again later.',
    {},
    { 'Retry-After': '5' },
  )

/** Remembers the roles of cookies for collection, because WordPress does not verify cookies without a nonce. */
const createRoles = (clock: Clock) => {
  const cache = createLruCache<string, { roles: readonly string[]; from: number }>(maxRoles)
  const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64')
  const now = (): number => toSeconds(clock())
  const isFresh = (from: number): boolean => now() >= from && now() < from + rolesLifetime
  return {
    remember: (cookies: readonly string[], roles: readonly string[]): void => {
      for (const cookie of cookies) cache.set(hashOf(cookie), { roles, from: now() })
    },
    of: (header: string | undefined): readonly string[] =>
      loginCookies(header).flatMap(cookie => {
        const entry = cache.get(hashOf(cookie))
        return entry !== undefined && isFresh(entry.from) ? entry.roles : []
      }),
  }
}

export const createWordPress = ({ clock, onFailure, viewerRoles, ...site }: WordPressOptions): WordPress => {
  const verify = createVerifier({ ask: createSite(site), clock, onFailure })
  const roles = createRoles(clock)

  const userOf = (verdict: Verdict): { identity: Identity; nonce: string | null } | null => {
    if (verdict.kind === 'unusable') throw unavailable()
    return verdict.kind === 'user' ? { identity: identityOf(verdict.user, viewerRoles), nonce: verdict.nonce } : null
  }

  const byAuthorization = async ({ request, address }: IdentityRequest): Promise<Identity | null> => {
    const authorization = authorizationOf(request)
    return authorization === null ? null : (userOf(await verify({ authorization }, address))?.identity ?? null)
  }

  const byCookie = async ({ request, address, nonce }: IdentityRequest): ReturnType<WordPress['identify']> => {
    const credentials = nonce === undefined ? null : cookieCredentials(request, nonce)
    if (credentials === null) return null
    const verdict = await verify(credentials, address)
    if (verdict.kind === 'wrong_nonce') throw invalidNonce()
    if (verdict.kind === 'user') roles.remember(loginCookies(request.headers.get('cookie')), verdict.user.roles)
    return userOf(verdict)
  }

  const identify = async (request: IdentityRequest): ReturnType<WordPress['identify']> => {
    const identity = await byAuthorization(request)
    return identity === null ? byCookie(request) : { identity, nonce: null }
  }

  return {
    identify: async request => {
      if (request.needed) return identify(request)
      // A route that also serves anonymous callers only needs to know if a nonce is wrong, and ignores other errors.
      if (request.nonce === undefined) return null
      return identify(request).catch(error => {
        if (error instanceof ApiError && error.status !== 403) return null
        throw error
      })
    },
    rolesOf: roles.of,
  }
}
