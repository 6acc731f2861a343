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
  /** Path that the service lies under; empty for the whole host. */
  root: string
  /** Whether the client came by https, as far as this service or a trusted proxy can tell. */
  isHttps: (request: Request, origin: Origin) => boolean
  spare: BestEffortWrites
}

export type Browsers = ReturnType<typeof createBrowsers>

/** Sessions as requests and cookies see them. */
export const createBrowsers = ({ db, key, clock, root, isHttps, spare }: BrowserDeps) => {
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
    /** The browser by its cookie alone: enough to tell it who it is, not to do anything in its name. */
    find,
    nonceOf,
    holdsNonce: ({ hash }: LoginSession, nonce: string): boolean => isNonce(key, hash, nonce, now()),

    /** The role behind a Cookie header; costs nothing where no cookie of ours is (visitors have none). */
    roleOf: (header: string | undefined): string | null =>
      header === undefined || !header.includes('footfall')
        ? null
        : (firstOf(cookieNames.flatMap(name => readCookies(header, name)))?.role ?? null),

    /** Logs the browser in under a new session; null if the user has gone or has another password by now. */
    open: (request: Request, origin: Origin, entrant: Entrant): { browser: Browser; cookie: string } | null => {
      const token = startSession(db, key, entrant, find(request, origin), now())
      const browser = token === null ? null : firstOf([token])
      return browser === null ? null : { browser, cookie: cookie(request, origin, browser.token, sessionLifetime) }
    },

    /** Lets the session last longer, at most once a day; the Set-Cookie for it, or null. */
    slide: (request: Request, origin: Origin, browser: Browser): string | null => {
      if (!isRenewable(browser, now()) || !spare(() => renewSession(db, browser, now()))) return null
      return cookie(request, origin, browser.token, sessionLifetime)
    },

    /** Ends the session; gives the Set-Cookie that takes the cookie away. */
    close: (request: Request, origin: Origin): string => {
      const browser = find(request, origin)
      if (browser !== null) endSession(db, browser)
      return cookie(request, origin, '', 0)
    },
  }
}
