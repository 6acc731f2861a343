import * as v from 'valibot'
import { type Call, type Endpoint, endpoint, type Identity } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { timeSchema, uuidSchema } from '../http/schemas.ts'
import { userOf } from '../identity/accounts.ts'
import { invalidUser } from '../identity/refusal.ts'
import type { ListedSession } from '../identity/session-list.ts'
import { whoOf } from '../identity/who.ts'
import { timeText } from '../lib/time.ts'
import type { Context } from './context.ts'

type SessionsContext = Pick<Context, 'accounts' | 'identity'>

const text = v.nullable(v.string())

const listed = v.object({
  id: v.pipe(v.string(), v.uuid()),
  user_id: v.pipe(v.number(), v.integer()),
  login: v.string(),
  created: timeSchema,
  last_used: v.pipe(timeSchema, v.description('Updated at most once a day.')),
  network: v.pipe(text, v.description('The network of the login (IPv4 /24, IPv6 /48), never a full address.')),
  new_network: v.pipe(
    v.boolean(),
    v.description('Whether the user had logged in before, but not from this network within a year.'),
  ),
  browser: v.pipe(text, v.description('Of the login, such as Firefox; null if it is not known.')),
  os: v.pipe(text, v.description('Of the login, such as Linux; null if it is not known.')),
  current: v.pipe(v.boolean(), v.description('Whether it is the login of this request.')),
})

export type SessionRow = v.InferOutput<typeof listed>

const describe = (session: ListedSession): SessionRow => ({
  id: session.uuid,
  user_id: session.user_id,
  login: session.login,
  created: timeText(session.created_at),
  last_used: timeText(session.lastUsedAt),
  network: session.network,
  new_network: session.new_network === 1,
  browser: session.browser,
  os: session.os,
  current: session.isCurrent,
})

const restricted = { can: 'account', guarded: true, tag: 'Users and access' } as const

/** Whose sessions the caller may see and end; null for those of all users. */
const reachOf = (identity: Identity | null): number | null => {
  if (identity === null) throw invalidUser()
  return identity.capabilities.includes('manage_options') ? null : identity.userId
}

type From = Pick<Call<unknown, unknown, unknown>, 'request' | 'url' | 'address'>

const currentOf = ({ identity: { browserSessions } }: SessionsContext, { request, url, address }: From) =>
  browserSessions.find(request, { url, address })

export const sessionListEndpoints: readonly Endpoint<SessionsContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/sessions',
    summary: 'The browsers that are logged in',
    description: 'One’s own; an administrator sees those of all users. Neither cookies nor user agents are stored.',
    output: v.array(listed),
    handle: (context: SessionsContext, { identity, ...from }) => ({
      data: context.accounts.sessions(reachOf(identity), currentOf(context, from)).map(describe),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/sessions/:id',
    summary: 'End a login',
    description: 'One of one’s own; an administrator may end those of all users.',
    params: v.object({ id: uuidSchema }),
    output: null,
    errors: { 404: ['rest_session_not_found'] },
    handle: ({ accounts }: SessionsContext, { params, identity }) => {
      if (!accounts.endSession(params.id.toLowerCase(), reachOf(identity), whoOf(identity)))
        throw new ApiError(404, 'rest_session_not_found', 'There is no such login.')
      return { data: null }
    },
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/sessions',
    summary: 'Log out everywhere',
    description:
      'Ends all logins of the caller, the current one included, and unused login links, and forgets known devices. ' +
      'Application passwords stay valid. A new password does the same.',
    output: null,
    errors: { 404: ['rest_user_invalid_id'] },
    handle: ({ accounts, identity: { browserSessions } }: SessionsContext, { identity, request, url, address }) => {
      accounts.logOutEverywhere(userOf(accounts, 'me', identity), whoOf(identity))
      return { data: null, cookies: [browserSessions.close(request, { url, address })] }
    },
  }),
]
