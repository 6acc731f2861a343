import { noteAction } from '../audit/audit.ts'
import { hintsOf, parseAgent } from '../collection/enrich/agent.ts'
import { truncateAddress } from '../lib/address/list.ts'
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

/** The session of a logged-in browser, and the token in its cookie. */
export type BrowserSession = LoginSession & {
  token: string
  /** The user has to set up a second factor, and may do nothing else before (--require-totp). */
  needsSecondFactor: boolean
}

/** The session of a browser that has just logged in, with its Set-Cookie headers. */
export type OpenedSession = { session: BrowserSession; cookies: readonly string[] }

export type BrowserSessionDeps = DeviceDeps & {
  devices: Devices
  tryWrite: BestEffortWrites
  /** Whether administrators need a second factor. */
  requireTotp: boolean
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>

const placeOf = ({ headers }: Request, { address }: Origin): Place => {
  const { browser, os } = parseAgent(headers.get('user-agent') ?? '', hintsOf(headers))
  return { network: address === null ? null : truncateAddress(address), browser, os }
}

/** Sessions of browsers, identified by cookies. */
export const createBrowserSessions = ({
  db,
  key,
  clock,
  root,
  isHttps,
  devices,
  tryWrite,
  requireTotp,
}: BrowserSessionDeps) => {
  const now = (): number => toSeconds(clock())
  const cookie = (request: Request, origin: Origin, token: string, seconds: number): string => {
    const https = isHttps(request, origin)
    return writeCookie(sessionCookie(https), { https, root }, token, seconds)
  }

  const firstOf = (tokens: readonly string[]): BrowserSession | null => {
    for (const token of tokens) {
      const session = findSession(db, key, token, now())
      if (session === null) continue
      const needsSecondFactor = requireTotp && session.role === administrator && session.has_second_factor === 0
      return { ...session, token, needsSecondFactor }
    }
    return null
  }

  const find = (request: Request, origin: Origin): BrowserSession | null =>
    firstOf(readCookies(request.headers.get('cookie'), sessionCookie(isHttps(request, origin))))

  const nonceOf = ({ hash }: LoginSession): string => createNonce(key, hash, now())

  return {
    /** Finds the session by its cookie alone: enough to show who is logged in, but not to authorize requests. */
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
    ): OpenedSession | null => {
      const place = placeOf(request, origin)
      const token = startSession(db, key, { ...entrant, ...place }, find(request, origin), now())
      const session = token === null ? null : firstOf([token])
      if (session === null) return null
      const note = { at: now(), who: session.login }
      if (login !== undefined) noteAction(db, note, login, {})
      if (session.new_network === 1) noteAction(db, note, 'login_new_network', { network: place.network ?? '' })
      const opened = cookie(request, origin, session.token, sessionLifetime)
      return { session, cookies: [opened, devices.remember(request, origin, session.user_id)] }
    },

    /** Extends the session, at most once a day. Returns its Set-Cookie header, or null. */
    slide: (request: Request, origin: Origin, session: BrowserSession): string | null => {
      if (!isRenewable(session, now()) || !tryWrite(() => renewSession(db, session, now()))) return null
      return cookie(request, origin, session.token, sessionLifetime)
    },

    /** Ends the session; the device stays known. Returns the Set-Cookie header that removes the cookie. */
    close: (request: Request, origin: Origin): string => {
      const session = find(request, origin)
      if (session !== null) endSession(db, session)
      return cookie(request, origin, '', 0)
    },
  }
}
