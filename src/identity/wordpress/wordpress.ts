import { createHash } from 'node:crypto'
import type { Identity } from '../../http/endpoint.ts'
import { ApiError, invalidNonce } from '../../http/errors.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import { toSeconds, type Clock } from '../../lib/time.ts'
import { createAnswers } from './answers.ts'
import { authorizationOf, cookieCredentials, loginCookies } from './credentials.ts'
import { createSite, type SiteOptions } from './site.ts'
import type { Verdict, WordPressUser } from './verdict.ts'

export type WordPressOptions = SiteOptions & { clock: Clock; failed: (reason: string) => void }

/** What of a request counts. `nonce` undefined: none was given. `needed`: nothing can be answered to a stranger. */
export type Asked = { request: Request; address: string | null; nonce: string | undefined; needed: boolean }

/** Identification by the credentials of the WordPress beside which the service runs (api.md §2.4). */
export type WordPress = {
  /**
   * Who asks, with the fresh nonce of a cookie; null for whom WordPress does not know either.
   * @throws ApiError 403 for a wrong nonce, 429 and 503 where WordPress may not or cannot be asked now
   */
  identify: (asked: Asked) => Promise<{ identity: Identity; nonce: string | null } | null>
  /** Roles behind a Cookie header, as far as they became known by a use of the API; never waits. */
  rolesOf: (cookieHeader: string | undefined) => readonly string[]
}

/** Seconds for which a cookie's roles keep its visits from being counted. */
const rolesLifetime = 12 * 3600
const maxRoles = 1000

const identityOf = ({ id, login, locale, roles, capabilities }: WordPressUser): Identity => ({
  id: `wp:${id}`,
  login,
  role: roles[0] ?? '',
  locale,
  capabilities,
  userId: null,
})

/** 503: whoever calls did nothing wrong, and may come again. */
const unavailable = (): ApiError =>
  new ApiError(
    503,
    'identity_unavailable',
    'WordPress cannot be asked who you are at the moment. Please try again later.',
    {},
    { 'Retry-After': '5' },
  )

/** Which cookies had which roles: for the gates of collection, where WordPress itself cannot be asked without a nonce. */
const createRoles = (clock: Clock) => {
  const known = createLruCache<string, { roles: readonly string[]; from: number }>(maxRoles)
  const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64')
  const now = (): number => toSeconds(clock())
  const isFresh = (from: number): boolean => now() >= from && now() < from + rolesLifetime
  return {
    learn: (cookies: readonly string[], roles: readonly string[]): void => {
      for (const cookie of cookies) known.set(hashOf(cookie), { roles, from: now() })
    },
    of: (header: string | undefined): readonly string[] =>
      loginCookies(header).flatMap(cookie => {
        const found = known.get(hashOf(cookie))
        return found !== undefined && isFresh(found.from) ? found.roles : []
      }),
  }
}

export const createWordPress = ({ clock, failed, ...site }: WordPressOptions): WordPress => {
  const answer = createAnswers({ ask: createSite(site), clock, failed })
  const roles = createRoles(clock)

  const userOf = (verdict: Verdict): { identity: Identity; nonce: string | null } | null => {
    if (verdict.kind === 'unusable') throw unavailable()
    return verdict.kind === 'user' ? { identity: identityOf(verdict.user), nonce: verdict.nonce } : null
  }

  const byAuthorization = async ({ request, address }: Asked): Promise<Identity | null> => {
    const authorization = authorizationOf(request)
    return authorization === null ? null : (userOf(await answer({ authorization }, address))?.identity ?? null)
  }

  const byCookie = async ({ request, address, nonce }: Asked): ReturnType<WordPress['identify']> => {
    const credentials = nonce === undefined ? null : cookieCredentials(request, nonce)
    if (credentials === null) return null
    const verdict = await answer(credentials, address)
    if (verdict.kind === 'wrong_nonce') throw invalidNonce()
    if (verdict.kind === 'user') roles.learn(loginCookies(request.headers.get('cookie')), verdict.user.roles)
    return userOf(verdict)
  }

  const identify = async (asked: Asked): ReturnType<WordPress['identify']> => {
    const identity = await byAuthorization(asked)
    return identity === null ? byCookie(asked) : { identity, nonce: null }
  }

  return {
    identify: async asked => {
      if (asked.needed) return identify(asked)
      // Where strangers are served too, only a nonce has to be judged, and nobody is kept waiting for an answer that is missing.
      if (asked.nonce === undefined) return null
      return identify(asked).catch(error => {
        if (error instanceof ApiError && error.status !== 403) return null
        throw error
      })
    },
    rolesOf: roles.of,
  }
}
