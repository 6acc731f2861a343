import type { Db } from '../database/query.ts'
import { toSeconds, type Clock } from '../lib/time.ts'
import { cookieName, cookieNames, readCookies, writeCookie, type Origin } from './cookie.ts'
import { type Key, createNonce, isNonce } from './key.ts'
import {
  endSession,
  findSession,
  isRenewable,
  renewSession,
  sessionLifetime,
  startSession,
  type Entrant,
  type LoginSession,
} from './login-sessions.ts'
import type { BestEffortWrites } from './best-effort-writes.ts'

/** A logged-in browser: its session, and the token in its cookie. */
export type Browser = LoginSession & { token: string }

export type BrowserDeps = {
  db: Db
  key: Key
  clock: Clock
  /** Path prefix of the service; empty for the whole host. */
  root: string
  /** Whether the client uses HTTPS, as far as this service or a trusted proxy knows. */
  isHttps: (request: Request, origin: Origin) => boolean
  tryWrite: BestEffortWrites
}

export type Browsers = ReturnType<typeof createBrowsers>

/** Sessions of browsers, identified by cookies. */
export const createBrowsers = ({ db, key, clock, root, isHttps, tryWrite }: BrowserDeps) => {
  const now = (): number => toSeconds(clock())
  const cookie = (request: Request, origin: Origin, token: string, seconds: number): string =>
    writeCookie({ https: isHttps(request, origin), root }, token, seconds)

  const firstOf = (tokens: readonly string[]): Browser | null => {
    for (const token of tokens) {
      const session = findSession(db, key, token, now())
      if (session !== null) return { ...session, token }
    }
    return null
  }

  const find = (request: Request, origin: Origin): Browser | null =>
    firstOf(readCookies(request.headers.get('cookie'), cookieName(isHttps(request, origin))))

  const nonceOf = ({ hash }: LoginSession): string => createNonce(key, hash, now())

  return {
    /** Finds the browser by its cookie alone: enough to show who is logged in, but not to authorize requests. */
    find,
    nonceOf,
    holdsNonce: ({ hash }: LoginSession, nonce: string): boolean => isNonce(key, hash, nonce, now()),

    /** The role of a Cookie header's session; cheap without a Footfall cookie (visitors have none). */
    roleOf: (header: string | undefined): string | null =>
      header === undefined || !header.includes('footfall')
        ? null
        : (firstOf(cookieNames.flatMap(name => readCookies(header, name)))?.role ?? null),

    /** Logs the browser in with a new session; null if the user was removed or changed their password meanwhile. */
    open: (request: Request, origin: Origin, entrant: Entrant): { browser: Browser; cookie: string } | null => {
      const token = startSession(db, key, entrant, find(request, origin), now())
      const browser = token === null ? null : firstOf([token])
      return browser === null ? null : { browser, cookie: cookie(request, origin, browser.token, sessionLifetime) }
    },

    /** Extends the session, at most once a day. Returns its Set-Cookie header, or null. */
    slide: (request: Request, origin: Origin, browser: Browser): string | null => {
      if (!isRenewable(browser, now()) || !tryWrite(() => renewSession(db, browser, now()))) return null
      return cookie(request, origin, browser.token, sessionLifetime)
    },

    /** Ends the session. Returns the Set-Cookie header that removes the cookie. */
    close: (request: Request, origin: Origin): string => {
      const browser = find(request, origin)
      if (browser !== null) endSession(db, browser)
      return cookie(request, origin, '', 0)
    },
  }
}
