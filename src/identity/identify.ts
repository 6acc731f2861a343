import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { collecting, mayCall } from '../http/access.ts'
import { readParameters } from '../http/body.ts'
import type { Identity } from '../http/endpoint.ts'
import { invalidNonce } from '../http/errors.ts'
import type { Caller } from '../http/router.ts'
import { truncateAddress } from '../lib/address/list.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/identify.sql'
import { fromRow, grantOf, isExpired, limitColumns } from './app-password-limits.ts'
import { type BestEffortWrites, createBestEffortWrites } from './best-effort-writes.ts'
import {
  type BrowserSessionDeps,
  type BrowserSessions,
  createBrowserSessions,
  type OpenedSession,
} from './browser-sessions.ts'
import type { Origin } from './cookie.ts'
import { createDevices } from './devices.ts'
import { contradictions } from './held.ts'
import { createInvitations, type Invitations } from './invitations.ts'
import type { JwtReader } from './jwt.ts'
import { identityKey, type Key, keyedHash, sameBytes } from './key.ts'
import { localIdentity, userColumns } from './local-identity.ts'
import { countFailures, createLogIn, type LogIn, type LogInDeps } from './log-in.ts'
import { consumeLoginLink } from './login-links.ts'
import { administrator, capabilitiesIn, capabilitiesOf, withViewerRoles } from './roles.ts'
import { createShareLinks, type ShareLinks, shareHeader } from './share-links.ts'
import type { WordPress } from './wordpress/wordpress.ts'

const sql = statements(sqlText)

const findQuery = query(
  sql('app-password.find'),
  v.object({ hash: v.instance(Buffer) }),
  v.object({
    uuid: v.string(),
    name: v.string(),
    hash: v.instance(Buffer),
    ...limitColumns,
    last_used_at: v.nullable(v.number()),
    ...userColumns,
  }),
)
const touchQuery = query(
  sql('app-password.touch'),
  v.object({ uuid: v.string(), now: v.number(), before: v.number(), address: v.nullable(v.string()) }),
)

type PasswordRow = v.InferOutput<typeof findQuery.row>
/** A token alone, as SDKs of analytics send one, names no login. */
type Credentials = { login: string | null; password: string }

const day = 86_400

/** Null unless the header is valid: as in WordPress, the caller is then anonymous instead of rejected. */
const readCredentials = (authorization: string | null): Credentials | null => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization?.trim() ?? '') ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 1 ? null : { login: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** An application password in the place of a token. */
const readToken = (authorization: string): Credentials | null => {
  const [, password] = /^bearer +([A-Za-z0-9 -]{24,40})$/i.exec(authorization.trim()) ?? []
  return password === undefined ? null : { login: null, password }
}

/** Removes the spaces, dashes and tabs between the groups of a typed password (as WordPress does). */
const normalize = (password: string): string => password.replace(/[^A-Za-z0-9]/g, '')

const find = (db: Db, key: Key, { login, password }: Credentials): PasswordRow | null => {
  const plain = normalize(password)
  if (plain.length !== 24) return null
  const hash = keyedHash(key, 'app-password', plain)
  const row = get(db, findQuery, { hash })
  if (row === undefined || !sameBytes(row.hash, hash)) return null
  return login === null || row.login.toLowerCase() === login.toLowerCase() ? row : null
}

type PasswordDeps = {
  db: Db
  key: Key
  clock: Clock
  tryWrite: BestEffortWrites
  /** Whether administrators need a second factor, which no application password proves. */
  requireTotp: boolean
}

/** Identification by application password (api.md §2.1). Its use is recorded at most once a day, with the network. */
const createPasswordIdentification = ({ db, key, clock, tryWrite, requireTotp }: PasswordDeps) => {
  const recordUse = ({ uuid, last_used_at }: PasswordRow, address: string | null, now: number): void => {
    if (last_used_at !== null && now - last_used_at < day) return
    const network = address === null ? null : truncateAddress(address)
    tryWrite(() => run(db, touchQuery, { uuid, now, before: now - day, address: network }))
  }
  const identify = (credentials: Credentials | null, address: string | null): Identity | null => {
    const row = credentials === null ? null : find(db, key, credentials)
    if (row === null) return null
    const [limits, now] = [fromRow(row), toSeconds(clock())]
    if (isExpired(limits, now)) return null
    const user = localIdentity(row)
    // Who was held to other filters since: it would open what one of both does not.
    if (contradictions(user.filters ?? null, limits.filters).length > 0) return null
    recordUse(row, address, now)
    const filters = user.filters && { filters: { ...limits.filters, ...user.filters } }
    const unproved = requireTotp && row.role === administrator
    return { ...user, ...grantOf(limits), ...filters, applicationPassword: row.name, ...(unproved && { unproved }) }
  }
  return {
    identifyByPassword: (authorization: string | null, address: string | null): Identity | null =>
      identify(readCredentials(authorization), address),
    mayCollect: (authorization: string, address: string | null): boolean =>
      mayCall(collecting, identify(readCredentials(authorization) ?? readToken(authorization), address)),
  }
}

export type IdentityOptions = Omit<LogInDeps, 'deviceOf' | 'tryWrite'> &
  Partial<Pick<BrowserSessionDeps, 'root' | 'isHttps' | 'requireTotp'>> & {
    jwt?: JwtReader | null
    wordpress?: WordPress | null
    /** Roles of the host platform whose users may read reports. */
    viewerRoles?: readonly string[]
  }

export type Identification = {
  /** Identifies a caller for the router; null for an anonymous one. Throws 403 for a wrong nonce. */
  identify: (request: Request, caller: Caller) => Promise<Identity | null>
  /** The role of a Cookie header's user, for collection: of several, one that is in `excluded`. Null for a visitor. */
  visitorRole: (cookieHeader: string | undefined, excluded?: readonly string[]) => string | null
  /** The roles in a token of the host platform, in the Authorization header or in the body's `token`. */
  tokenRoles: (authorization: string | undefined, token: unknown) => Promise<readonly string[]>
  /** Whether an Authorization header has an application password that may say whose hits it sends. */
  mayCollect: (authorization: string, address: string | null) => boolean
  browserSessions: BrowserSessions
  shareLinks: ShareLinks
  invitations: Invitations
  logIn: LogIn
  /** The number of wrong passwords in the last 24 hours, at most since the start. */
  failedLogins: () => number
  /** Consumes a login link and logs the browser in; null for a link that is invalid, used or expired. */
  logInByLink: (request: Request, origin: Origin, token: string) => OpenedSession | null
}

const collectionRoute = /\/analytics\/v1\/(hit|event|engagement|forget)\/?$/
const sessionRoute = /\/analytics\/v1\/session\/?$/

/** As in WordPress: the parameter, else the header; undefined without either. A parameter that is not text is wrong. */
const readNonce = (request: Request, url: URL): string | undefined => {
  const { _wpnonce: parameter } = url.search === '' ? { _wpnonce: undefined } : readParameters(url.searchParams)
  if (parameter === undefined) return request.headers.get('x-wp-nonce') ?? undefined
  return typeof parameter === 'string' ? parameter : ''
}

/** Identifies by cookie and nonce; 'wrong_nonce' if they do not match. The session route renews both itself. */
const createCookieIdentification =
  (browserSessions: BrowserSessions) =>
  (request: Request, caller: Caller, nonce: string | undefined): Identity | 'wrong_nonce' | null => {
    if (nonce === undefined) return null
    const session = browserSessions.find(request, caller)
    if (session === null || !browserSessions.holdsNonce(session, nonce)) return 'wrong_nonce'
    if (!sessionRoute.test(caller.url.pathname)) {
      caller.headers.set('X-WP-Nonce', browserSessions.nonceOf(session))
      const cookie = browserSessions.slide(request, caller, session)
      if (cookie !== null) caller.headers.append('Set-Cookie', cookie)
    }
    const identity = localIdentity(session)
    return session.needsSecondFactor ? { ...identity, capabilities: [], needsSecondFactor: true } : identity
  }

const bearer = (authorization: string | null | undefined): string | null =>
  /^bearer +([\w.-]+) *$/i.exec(authorization ?? '')?.[1] ?? null

/** Identifies a user of the host platform by token. If the token has capabilities, its roles alone grant nothing. */
const identifyByToken = async (
  jwt: JwtReader | null,
  viewerRoles: readonly string[],
  request: Request,
): Promise<Identity | null> => {
  const token = jwt === null ? null : bearer(request.headers.get('authorization'))
  const claims = token === null ? null : ((await jwt?.identity(token)) ?? null)
  if (claims === null) return null
  const { roles } = claims
  const granted = roles.includes(administrator) ? capabilitiesOf(administrator) : []
  return {
    id: `wp:${claims.sub}`,
    login: claims.name ?? claims.sub,
    role: roles[0] ?? '',
    locale: claims.locale ?? 'en',
    byToken: true,
    capabilities:
      claims.capabilities === null ? withViewerRoles(granted, roles, viewerRoles) : capabilitiesIn(claims.capabilities),
    userId: null,
  }
}

/** Visit tokens grant no access, and API tokens are not accepted in a body, because pages are cached and shared. */
const rolesOf = async (
  jwt: JwtReader | null,
  authorization: string | undefined,
  token: unknown,
): Promise<readonly string[]> => {
  if (jwt === null) return []
  const apiToken = bearer(authorization)
  const caller = apiToken === null ? null : await jwt.identity(apiToken)
  return [...(caller?.roles ?? []), ...(typeof token === 'string' ? await jwt.visitRoles(token) : [])]
}

const createLinkLogin =
  ({ db, clock }: { db: Db; clock: Clock }, browserSessions: BrowserSessions): Identification['logInByLink'] =>
  (request, origin, token) =>
    db
      .transaction(() => {
        const userId = consumeLoginLink(db, token, toSeconds(clock()))
        return userId === null
          ? null
          : browserSessions.open(request, origin, { userId, passwordHash: null }, 'login_by_link')
      })
      .immediate()

/** WordPress comes last, so that local users never wait for it. */
const identifyByWordPress = async (
  wordpress: WordPress | null,
  request: Request,
  caller: Caller,
  nonce: string | undefined,
): Promise<Identity | null> => {
  const user = (await wordpress?.identify({ request, address: caller.address, nonce, needed: caller.needed })) ?? null
  if (user !== null && user.nonce !== null && !sessionRoute.test(caller.url.pathname))
    caller.headers.set('X-WP-Nonce', user.nonce)
  return user?.identity ?? null
}

/** Identification of callers (api.md §2). Valid Basic or Bearer credentials take precedence over cookie and nonce. */
export const createIdentity = ({
  root = '',
  jwt = null,
  wordpress = null,
  viewerRoles = [],
  requireTotp = false,
  isHttps = (_, { url }) => url.protocol === 'https:',
  ...deps
}: IdentityOptions): Identification => {
  const key = identityKey(deps.db)
  const tryWrite = createBestEffortWrites(deps.db, deps.clock)
  const { identifyByPassword, mayCollect } = createPasswordIdentification({ ...deps, key, tryWrite, requireTotp })
  const devices = createDevices({ ...deps, key, root, isHttps })
  const browserSessions = createBrowserSessions({ ...deps, key, root, isHttps, devices, tryWrite, requireTotp })
  const identifyByCookie = createCookieIdentification(browserSessions)
  const shareLinks = createShareLinks({ ...deps, key })
  const { logIn, failedLogins } = countFailures(createLogIn({ ...deps, deviceOf: devices.find, tryWrite }), deps.clock)
  return {
    identify: async (request, caller) => {
      const nonce = collectionRoute.test(caller.url.pathname) ? undefined : readNonce(request, caller.url)
      const local =
        identifyByPassword(request.headers.get('authorization'), caller.address) ??
        (await identifyByToken(jwt, viewerRoles, request)) ??
        identifyByCookie(request, caller, nonce)
      if (local !== null && local !== 'wrong_nonce') return local
      const wordpressUser = await identifyByWordPress(wordpress, request, caller, nonce)
      if (wordpressUser === null && local === 'wrong_nonce') throw invalidNonce()
      return wordpressUser ?? shareLinks.identify(request.headers.get(shareHeader))
    },
    tokenRoles: (authorization, token) => rolesOf(jwt, authorization, token),
    mayCollect,
    visitorRole: (header, excluded = []) => {
      if (header === undefined) return null
      const role = browserSessions.roleOf(header)
      const roles = [...(role === null ? [] : [role]), ...(wordpress?.rolesOf(header) ?? [])]
      return roles.find(candidate => excluded.includes(candidate)) ?? roles[0] ?? null
    },
    browserSessions,
    shareLinks,
    invitations: createInvitations({ ...deps, key }),
    logIn,
    failedLogins,
    logInByLink: createLinkLogin(deps, browserSessions),
  }
}
