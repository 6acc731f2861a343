import * as v from 'valibot'
import { type Access, capabilitiesWithin, mayCall } from '../http/access.ts'
import { type Endpoint, endpoint, type Identity } from '../http/endpoint.ts'
import { ApiError, forbidden } from '../http/errors.ts'
import type { BrowserSession } from '../identity/browser-sessions.ts'
import { fromColumn } from '../identity/held.ts'
import { capabilitiesOf } from '../identity/roles.ts'
import { usualStartPage } from '../identity/start-pages.ts'
import { filtersSchema, heldSegment, heldSegmentSchema } from '../reports/held-filters.ts'
import { readStart, type StartContext, startSchema } from '../reports/start.ts'
import type { SiteOption } from '../settings/site-options.ts'
import type { Context } from './context.ts'

/** The part of the router's context that these endpoints use. */
export type SessionContext = Pick<Context, 'identity' | 'segments'> &
  StartContext & {
    siteOptions: { current: () => { readonly siteName: SiteOption } }
  }

const credentials = v.object({
  login: v.pipe(v.string(), v.maxLength(60), v.description('The login, case-insensitive.')),
  password: v.pipe(
    v.string(),
    v.maxLength(2048),
    v.description('The account password. Application passwords work with HTTP Basic only.'),
  ),
  code: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(60),
      v.description('For users with a second factor: six digits from the app, or a recovery code. Each is valid once.'),
    ),
  ),
})

export const sessionSchema = v.object({
  id: v.pipe(
    v.string(),
    v.description('The key of preferences: `local:1`, or `wp:7` for a user of the host platform.'),
  ),
  name: v.pipe(v.string(), v.description('The name to show: that of the token, else the login.')),
  via: v.pipe(
    v.picklist(['cookie', 'password', 'jwt', 'wordpress']),
    v.description('What identified the caller: `jwt` is a token of the host platform, which keeps users and logins.'),
  ),
  login: v.string(),
  role: v.string(),
  locale: v.string(),
  start_page: v.pipe(v.string(), v.description('The page that the dashboard opens with.')),
  capabilities: v.array(v.string()),
  nonce: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Send it as X-WP-Nonce with every further request. Valid for at least 12 hours. Null where none is needed.',
    ),
  ),
  site_name: v.pipe(v.nullable(v.string()), v.description('The name of the site (--site-name); null if it has none.')),
  filters: v.pipe(
    v.nullable(filtersSchema),
    v.description('What the user is held to, in every report. Null: sees all visits.'),
  ),
  segment: heldSegmentSchema,
  needs_second_factor: v.pipe(
    v.boolean(),
    v.description(
      'Whether the user has to set up a second factor first (--require-totp): until then it has no capability.',
    ),
  ),
  start: v.pipe(
    v.nullable(startSchema),
    v.description('The days that reports can be asked for. Null for callers who may read none.'),
  ),
})

export type Session = v.InferOutput<typeof sessionSchema>

export const noStore = { 'Cache-Control': 'no-store' }

const siteNameOf = ({ siteOptions }: SessionContext): string | null => {
  const { value } = siteOptions.current().siteName
  return typeof value === 'string' ? value : null
}

/** What nearly all reports ask of a caller. */
const reading: Access = { can: 'footfall_view_reports', scopes: ['reports'], shared: 'always' }

type Held = Readonly<Record<string, string>> | null | undefined
const heldTo = (context: SessionContext, filters: Held): Pick<Session, 'filters' | 'segment'> =>
  filters == null ? { filters: null, segment: null } : { filters, segment: heldSegment(context, filters) }

export const describeSession = async (context: SessionContext, session: BrowserSession): Promise<Session> => {
  const capabilities = session.needsSecondFactor ? [] : [...capabilitiesOf(session.role)]
  const held = fromColumn(session.held)
  return {
    id: `local:${session.user_id}`,
    name: session.login,
    via: 'cookie',
    login: session.login,
    role: session.role,
    locale: session.locale,
    start_page: session.start_page,
    capabilities,
    nonce: context.identity.browserSessions.nonceOf(session),
    site_name: siteNameOf(context),
    ...heldTo(context, held),
    needs_second_factor: session.needsSecondFactor,
    start: mayCall(reading, { capabilities }) ? await readStart(context, held) : null,
  }
}

/** A share link is nobody's login. */
const isShareLink = ({ userId, filters }: Identity): boolean => userId === null && filters !== undefined

/** The session of a caller with credentials of its own, which precede the cookie; null for others and share links. */
const withoutCookie = async (
  context: SessionContext,
  identity: Identity | null,
  session: BrowserSession | null,
): Promise<Session | null> => {
  if (identity === null || isShareLink(identity) || identity.id === `local:${session?.user_id}`) return null
  const { id, login, role, locale, userId, byToken } = identity
  return {
    id,
    name: login,
    via: byToken === true ? 'jwt' : userId === null ? 'wordpress' : 'password',
    login,
    role,
    locale,
    start_page: usualStartPage,
    capabilities: capabilitiesWithin(identity),
    nonce: null,
    site_name: siteNameOf(context),
    ...heldTo(context, identity.filters),
    needs_second_factor: false,
    start: mayCall(reading, identity) ? await readStart(context, identity.filters) : null,
  }
}

/** A wrong code after the right password is answered like a wrong password with a code. */
const wrong = (code: string | undefined): ApiError =>
  new ApiError(
    401,
    'rest_login_failed',
    code === undefined ? 'Incorrect login or password.' : 'Incorrect login, password or code.',
  )

/** The dashboard's login (api.md §2.2). Public: logging in needs no identity, and every role may log out. */
export const sessionEndpoints: readonly Endpoint<SessionContext>[] = [
  endpoint({
    method: 'GET',
    path: '/session',
    can: 'public',
    tag: 'Users and access',
    summary: 'The user of the login cookie, and the nonce for further requests',
    description:
      'A caller identified by other credentials, such as a token of the host platform, gets its own capabilities and ' +
      'no nonce, as it needs none.',
    output: sessionSchema,
    errors: { 401: ['rest_forbidden'] },
    handle: async (context: SessionContext, { identity, request, url, address }) => {
      const { browserSessions } = context.identity
      const session = browserSessions.find(request, { url, address })
      const vouched = await withoutCookie(context, identity, session)
      if (vouched !== null) return { data: vouched, headers: noStore }
      if (session === null) throw forbidden(null)
      const cookie = browserSessions.slide(request, { url, address }, session)
      return {
        data: await describeSession(context, session),
        headers: noStore,
        cookies: cookie === null ? [] : [cookie],
      }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/session',
    can: 'public',
    tag: 'Users and access',
    summary: 'Log in',
    description:
      'The answer is 429 after 10 failures for an account and address within 15 minutes, and while too many ' +
      'logins are pending. A second cookie marks the device: it grants nothing, but later logins from this device ' +
      'do not wait for those of strangers. If the user has a second factor, the right password without a code is ' +
      'answered with `rest_second_factor`: send all three together then.',
    accepts: ['application/json'],
    bodyLimit: 8192,
    body: credentials,
    output: sessionSchema,
    errors: {
      401: ['rest_login_failed', 'rest_second_factor'],
      415: ['rest_unsupported_media_type'],
      429: ['rest_too_many_requests'],
    },
    handle: async (context: SessionContext, { body, request, url, address }) => {
      const { logIn, browserSessions } = context.identity
      const entrant = await logIn(body.login, body.password, { request, url, address, code: body.code })
      const opened = entrant === null ? null : browserSessions.open(request, { url, address }, entrant, 'login')
      if (opened === null) throw wrong(body.code)
      return {
        data: await describeSession(context, opened.session),
        headers: noStore,
        cookies: opened.cookies,
      }
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/session',
    can: 'public',
    tag: 'Users and access',
    summary: 'Log out',
    description: 'Requires the nonce, so that another site cannot log the user out.',
    output: null,
    errors: { 401: ['rest_forbidden'] },
    handle: ({ identity: { browserSessions } }: SessionContext, { identity, request, url, address }) => {
      // A share link is not a login, so it cannot end a session.
      if (identity === null || isShareLink(identity)) throw forbidden(null)
      return { data: null, headers: noStore, cookies: [browserSessions.close(request, { url, address })] }
    },
  }),
]
