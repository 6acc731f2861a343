import { noteAction } from '../audit/audit.ts'
import { parseAgent } from '../collection/enrich/agent.ts'
import { hintsOf } from '../collection/enrich/agent-hints.ts'
import { truncateAddress } from '../lib/address/text.ts'
import { toSeconds } from '../lib/time.ts'
import type { BestEffortWrites } from './best-effort-writes.ts'
import { type Origin, readCookies, sessionCookie, sessionCookies, writeCookie } from './cookie.ts'
import type { DeviceDeps, Devices } from './devices.ts'
import { createNonce, isNonce } from './key.ts'
import {
  type Entrant,
  endSession,
  findSession,
  isRenewable,
  type LoginSession,
  type Place,
  renewSession,
  sessionLifetime,
  startSession,
} from './login-sessions.ts'
import { administrator } from './roles.ts'

/** A logged-in browser: its session, and the token in its cookie. */
export type Browser = LoginSession & {
  token: string
  /** The user has to set up a second factor, and may do nothing else before (--require-totp). */
  needsSecondFactor: boolean
}

/** A browser that has just logged in, with its Set-Cookie headers. */
export type OpenedBrowser = { browser: Browser; cookies: readonly string[] }

export type BrowserDeps = DeviceDeps & {
  devices: Devices
  tryWrite: BestEffortWrites
  /** Whether administrators need a second factor. */
  requireTotp: boolean
}

export type Browsers = ReturnType<typeof createBrowsers>

const placeOf = ({ headers }: Request, { address }: Origin): Place => {
  const { browser, os } = parseAgent(headers.get('user-agent') ?? '', hintsOf(headers))
  return { network: address === null ? null : truncateAddress(address), browser, os }
}

/** Sessions of browsers, identified by cookies. */
export const createBrowsers = ({ db, key, clock, root, isHttps, devices, tryWrite, requireTotp }: BrowserDeps) => {
  const now = (): number => toSeconds(clock())
  const cookie = (request: Request, origin: Origin, token: string, seconds: number): string => {
    const https = isHttps(request, origin)
    return writeCookie(sessionCookie(https), { https, root }, token, seconds)
  }

  const firstOf = (tokens: readonly string[]): Browser | null => {
    for (const token of tokens) {
      const session = findSession(db, key, token, now())
      if (session === null) continue
      const needsSecondFactor = requireTotp && session.role === administrator && session.has_second_factor === 0
      return { ...session, token, needsSecondFactor }
    }
    return null
  }

  const find = (request: Request, origin: Origin): Browser | null =>
    firstOf(readCookies(request.headers.get('cookie'), sessionCookie(isHttps(request, origin))))

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
        : (firstOf(sessionCookies.flatMap(name => readCookies(header, name)))?.role ?? null),

    /**
     * Logs the browser in with a new session, and remembers the device. Null if the user was removed or changed their
     * password meanwhile. `login` is how they logged in, for the audit log; undefined if they were logged in already.
     */
    open: (
      request: Request,
      origin: Origin,
      entrant: Entrant,
      login?: 'login' | 'login_by_link',
    ): OpenedBrowser | null => {
      const place = placeOf(request, origin)
      const token = startSession(db, key, { ...entrant, ...place }, find(request, origin), now())
      const browser = token === null ? null : firstOf([token])
      if (browser === null) return null
      const note = { at: now(), who: browser.login }
      if (login !== undefined) noteAction(db, note, login, {})
      if (browser.new_network === 1) noteAction(db, note, 'login_new_network', { network: place.network ?? '' })
      const session = cookie(request, origin, browser.token, sessionLifetime)
      return { browser, cookies: [session, devices.remember(request, origin, browser.user_id)] }
    },

    /** Extends the session, at most once a day. Returns its Set-Cookie header, or null. */
    slide: (request: Request, origin: Origin, browser: Browser): string | null => {
      if (!isRenewable(browser, now()) || !tryWrite(() => renewSession(db, browser, now()))) return null
      return cookie(request, origin, browser.token, sessionLifetime)
    },

    /** Ends the session; the device stays known. Returns the Set-Cookie header that removes the cookie. */
    close: (request: Request, origin: Origin): string => {
      const browser = find(request, origin)
      if (browser !== null) endSession(db, browser)
      return cookie(request, origin, '', 0)
    },
  }
}
