import type { Db } from '../database/query.ts'
import type { Identity } from '../http/endpoint.ts'
import { invalidNonce } from '../http/errors.ts'
import { readParameters } from '../http/parameters.ts'
import type { Caller } from '../http/router.ts'
import { toSeconds, type Clock } from '../lib/time.ts'
import { createBasic } from './basic.ts'
import { createBrowsers, type Browser, type BrowserDeps, type Browsers } from './browser.ts'
import type { Origin } from './cookie.ts'
import { identityKey } from './key.ts'
import { localIdentity, administrator } from './rules.ts'
import { countFailures, createLogIn, type LogIn, type LogInDeps } from './log-in.ts'
import type { JwtReader } from './jwt.ts'
import { consumeLoginLink } from './login-links.ts'
import { createShareLinks, shareHeader, type ShareLinks } from './share-links.ts'
import { createBestEffortWrites } from './best-effort-writes.ts'
import type { WordPress } from './wordpress/wordpress.ts'

export type IdentityOptions = LogInDeps &
  Partial<Pick<BrowserDeps, 'root' | 'isHttps'>> & { jwt?: JwtReader | null; wordpress?: WordPress | null }

export type Identification = {
  /** Who asks, in any of the four ways or by a shared link; null for a stranger. Throws for a wrong nonce (403). For the router. */
  identify: (request: Request, caller: Caller) => Promise<Identity | null>
  /** The role behind a Cookie header, for the gates of collection: of several one that is among `excluded`. Null for a visitor. */
  visitorRole: (cookieHeader: string | undefined, excluded?: readonly string[]) => string | null
  /** The roles that a platform's token gives a visit: in the Authorization header, or in the body's `token`. */
  tokenRoles: (authorization: string | undefined, token: unknown) => Promise<readonly string[]>
  browsers: Browsers
  shareLinks: ShareLinks
  logIn: LogIn
  /** Wrong passwords of the last 24 hours, since the start. */
  failedLogins: () => number
  /** Uses a login link up and logs the browser in; null for a link that does not work (any more). */
  logInByLink: (request: Request, origin: Origin, token: string) => { browser: Browser; cookie: string } | null
}

const collectionRoute = /\/analytics\/v1\/(hit|event|engagement|forget)\/?$/
const sessionRoute = /\/analytics\/v1\/session\/?$/

/** As the platform reads it: the parameter before the header; undefined without either, and what is no text is wrong. */
const readNonce = (request: Request, url: URL): string | undefined => {
  const { _wpnonce: given } = url.search === '' ? { _wpnonce: undefined } : readParameters(url.searchParams)
  if (given === undefined) return request.headers.get('x-wp-nonce') ?? undefined
  return typeof given === 'string' ? given : ''
}

/** By cookie with its nonce; 'wrong' for a nonce that is none of ours. The session route looks after both itself. */
const createCookieWay =
  (browsers: Browsers) =>
  (request: Request, caller: Caller, nonce: string | undefined): Identity | 'wrong' | null => {
    if (nonce === undefined) return null
    const browser = browsers.find(request, caller)
    if (browser === null || !browsers.holdsNonce(browser, nonce)) return 'wrong'
    if (!sessionRoute.test(caller.url.pathname)) {
      caller.headers.set('X-WP-Nonce', browsers.nonceOf(browser))
      const cookie = browsers.slide(request, caller, browser)
      if (cookie !== null) caller.headers.append('Set-Cookie', cookie)
    }
    return localIdentity(browser)
  }

const bearer = (authorization: string | null | undefined): string | null =>
  /^bearer +([\w.-]+) *$/i.exec(authorization ?? '')?.[1] ?? null

const manage = 'manage_options'

/** A user of the host platform. Where capabilities are given, the role alone opens nothing. */
const byToken = async (jwt: JwtReader | null, request: Request): Promise<Identity | null> => {
  const token = jwt === null ? null : bearer(request.headers.get('authorization'))
  const claims = token === null ? null : ((await jwt?.identity(token)) ?? null)
  if (claims === null) return null
  const capabilities = claims.capabilities ?? (claims.roles.includes(administrator) ? [manage] : [])
  return {
    id: `wp:${claims.sub}`,
    login: claims.name ?? claims.sub,
    role: claims.roles[0] ?? '',
    locale: 'en',
    capabilities,
    userId: null,
  }
}

/** A token for visits opens nothing else, and one for the API does not count in a body: pages are cached and shared. */
const rolesOf = async (
  jwt: JwtReader | null,
  authorization: string | undefined,
  token: unknown,
): Promise<readonly string[]> => {
  if (jwt === null) return []
  const given = bearer(authorization)
  const caller = given === null ? null : await jwt.identity(given)
  return [...(caller?.roles ?? []), ...(typeof token === 'string' ? await jwt.visitRoles(token) : [])]
}

const createLinkWay =
  ({ db, clock }: { db: Db; clock: Clock }, browsers: Browsers): Identification['logInByLink'] =>
  (request, origin, token) =>
    db
      .transaction(() => {
        const userId = consumeLoginLink(db, token, toSeconds(clock()))
        return userId === null ? null : browsers.open(request, origin, { userId, passwordHash: null })
      })
      .immediate()

/** WordPress is asked last: who is known here never waits for it. */
const askWordPress = async (
  wordpress: WordPress | null,
  request: Request,
  caller: Caller,
  nonce: string | undefined,
): Promise<Identity | null> => {
  const found = (await wordpress?.identify({ request, address: caller.address, nonce, needed: caller.needed })) ?? null
  if (found !== null && found.nonce !== null && !sessionRoute.test(caller.url.pathname))
    caller.headers.set('X-WP-Nonce', found.nonce)
  return found?.identity ?? null
}

/** Identity (api.md §2). A valid Basic or Bearer beats cookie and nonce. */
export const createIdentity = ({
  root = '',
  jwt = null,
  wordpress = null,
  isHttps = (_, { url }) => url.protocol === 'https:',
  ...tools
}: IdentityOptions): Identification => {
  const key = identityKey(tools.db)
  const spare = createBestEffortWrites(tools.db, tools.clock)
  const byPassword = createBasic({ ...tools, key, spare })
  const browsers = createBrowsers({ ...tools, key, root, isHttps, spare })
  const byCookie = createCookieWay(browsers)
  const shareLinks = createShareLinks({ ...tools, key })
  const { logIn, failedLogins } = countFailures(createLogIn(tools), tools.clock)
  return {
    identify: async (request, caller) => {
      const nonce = collectionRoute.test(caller.url.pathname) ? undefined : readNonce(request, caller.url)
      const local =
        byPassword(request, caller.address) ?? (await byToken(jwt, request)) ?? byCookie(request, caller, nonce)
      if (local !== null && local !== 'wrong') return local
      const theirs = await askWordPress(wordpress, request, caller, nonce)
      if (theirs === null && local === 'wrong') throw invalidNonce()
      return theirs ?? shareLinks.identify(request.headers.get(shareHeader))
    },
    tokenRoles: (authorization, token) => rolesOf(jwt, authorization, token),
    visitorRole: (header, excluded = []) => {
      if (header === undefined) return null
      const role = browsers.roleOf(header)
      const roles = [...(role === null ? [] : [role]), ...(wordpress?.rolesOf(header) ?? [])]
      return roles.find(one => excluded.includes(one)) ?? roles[0] ?? null
    },
    browsers,
    shareLinks,
    logIn,
    failedLogins,
    logInByLink: createLinkWay(tools, browsers),
  }
}
