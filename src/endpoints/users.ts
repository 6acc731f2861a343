import * as v from 'valibot'
import { mayCall } from '../http/access.ts'
import { type Answer, type Call, type Endpoint, endpoint, type Identity } from '../http/endpoint.ts'
import { ApiError, forbidden } from '../http/errors.ts'
import { userOf, userParams } from '../identity/accounts.ts'
import type { LogIn } from '../identity/log-in.ts'
import { invalidUser, withApiErrors } from '../identity/refusal.ts'
import { administrator } from '../identity/roles.ts'
import {
  describeMe,
  describeUser,
  localeSchema,
  loginSchema,
  meSchema,
  passwordSchema,
  roleSchema,
  startPageSchema,
  type UserResponse,
  userEntries,
  userSchema,
} from '../identity/user-schemas.ts'
import { generatePassword, nameOf, type User } from '../identity/users.ts'
import { whoOf } from '../identity/who.ts'
import { readHeld } from '../reports/held-filters.ts'
import { filtersBody } from '../reports/segment.ts'
import type { Context } from './context.ts'

/** The part of the router's context that these endpoints use. */
export type UsersContext = Pick<Context, 'accounts' | 'identity' | 'segments'>

const restricted = { can: 'manage_options', local: true, guarded: true, tag: 'Users and access' } as const
/** Parameters are read from the body only: a password in a query string would end up in logs. */
const accepts = ['application/json'] as const
const unknown = { 404: ['rest_user_invalid_id'] }
const lastOne = { 409: ['rest_user_last_administrator'] }

const wrongPassword = (): ApiError =>
  new ApiError(403, 'rest_user_incorrect_password', 'The current password is incorrect.')

/** Changing one's own password requires the current one: a browser left open is not enough. */
const proveOwn = async (
  { identity: { logIn } }: UsersContext,
  { login }: User,
  current: string | undefined,
  from: Parameters<LogIn>[2],
): Promise<void> => {
  if (current === undefined)
    throw new ApiError(400, 'rest_missing_callback_param', 'Missing parameter(s): current_password', {
      params: ['current_password'],
    })
  if ((await logIn(login, current, { ...from, code: null })) === null) throw wrongPassword()
}

const heldBody = v.optional(
  v.pipe(
    v.nullable(filtersBody),
    v.description('What the user is held to, as a share link; not for administrators. Null or empty: sees all visits.'),
  ),
)

/** Undefined if the body does not say. */
const heldBy = (
  context: UsersContext,
  { body: { filters }, identity }: { body: { filters?: v.InferOutput<typeof heldBody> }; identity: Identity | null },
) => (filters === undefined ? undefined : readHeld(context, filters ?? {}, identity?.locale ?? 'en'))

const changesSchema = v.object({
  role: v.optional(roleSchema),
  locale: v.optional(localeSchema),
  start_page: v.optional(startPageSchema),
  password: v.optional(passwordSchema),
  filters: heldBody,
  current_password: v.optional(
    v.pipe(v.string(), v.maxLength(2048), v.description("Required to change one's own password.")),
  ),
})

type From = Pick<
  Call<unknown, v.InferOutput<typeof changesSchema>, unknown>,
  'body' | 'identity' | 'request' | 'url' | 'address'
>

const change = async (
  context: UsersContext,
  known: User,
  { body, identity, request, url, address }: From,
): Promise<Answer<UserResponse>> => {
  const {
    accounts,
    identity: { browserSessions },
  } = context
  const { current_password, start_page: startPage, ...given } = body
  const changes = { ...given, startPage, filters: heldBy(context, { body, identity }) }
  const own = changes.password !== undefined && identity?.id === nameOf(known)
  if (own) await proveOwn(context, known, current_password, { request, url, address })
  const session = browserSessions.find(request, { url, address })
  const changed = await withApiErrors(() => accounts.update(known, changes, whoOf(identity)))
  if (changed === undefined) throw invalidUser()
  // This browser stays logged in, with a new session.
  const opened =
    own && session?.user_id === known.id
      ? browserSessions.open(request, { url, address }, { userId: known.id, passwordHash: null })
      : null
  if (opened === null) return { data: describeUser(changed) }
  return {
    data: describeUser(changed),
    headers: { 'X-WP-Nonce': browserSessions.nonceOf(opened.session) },
    cookies: opened.cookies,
  }
}

/** `/users/:id`, or `/users/me` for the caller. */
type UserPath = { path: string; can?: 'account'; params?: typeof userParams; summary: string; description?: string }

const calledUser = (
  { accounts }: UsersContext,
  { params, identity }: Pick<Call<unknown, unknown, object>, 'params' | 'identity'>,
): User => userOf(accounts, 'id' in params ? String(params.id) : 'me', identity)

const changeUser = (given: UserPath): Endpoint<UsersContext> =>
  endpoint({
    ...restricted,
    ...given,
    method: 'PUT',
    accepts,
    body: changesSchema,
    output: userSchema,
    errors: { ...unknown, ...lastOne, 403: ['rest_user_incorrect_password'], 429: ['rest_too_many_requests'] },
    handle: (context: UsersContext, call) => {
      if (call.body.role !== undefined && !mayCall(restricted, call.identity))
        throw forbidden(call.identity, restricted)
      return change(context, calledUser(context, call), call)
    },
  })

const removeUser = (given: UserPath): Endpoint<UsersContext> =>
  endpoint({
    ...restricted,
    ...given,
    method: 'DELETE',
    output: v.object({ deleted: v.boolean(), previous: userSchema }),
    errors: { ...unknown, ...lastOne },
    handle: async (context: UsersContext, call) => {
      const user = calledUser(context, call)
      if (!(await withApiErrors(() => context.accounts.remove(user, whoOf(call.identity))))) throw invalidUser()
      return { data: { deleted: true, previous: describeUser(user) } }
    },
  })

export const userEndpoints: readonly Endpoint<UsersContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/users',
    summary: 'List users',
    output: v.array(userSchema),
    handle: ({ accounts }: UsersContext) => ({ data: accounts.list().map(describeUser) }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/users',
    summary: 'Add a user',
    accepts,
    body: v.object({
      login: loginSchema,
      role: v.optional(roleSchema, administrator),
      filters: heldBody,
      locale: v.optional(localeSchema, 'en'),
      password: v.optional(
        v.pipe(passwordSchema, v.description('Default: a generated password, which the response shows once.')),
      ),
    }),
    output: v.object({
      ...userEntries,
      password: v.optional(v.pipe(v.string(), v.description('The generated password. It is not shown again.'))),
    }),
    status: 201,
    errors: { 400: ['existing_user_login'] },
    handle: async (context: UsersContext, { body, identity, url }) => {
      const password = body.password ?? generatePassword()
      const user = { ...body, password, filters: heldBy(context, { body, identity }) ?? null }
      const added = await withApiErrors(() => context.accounts.create(user, whoOf(identity)))
      const headers = { Location: new URL(`${url.pathname.replace(/\/+$/, '')}/${added.id}`, url).href }
      return { data: { ...describeUser(added), ...(body.password === undefined && { password }) }, headers }
    },
  }),
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/users/me',
    summary: 'The current user',
    output: meSchema,
    handle: ({ accounts }: UsersContext, { identity }) => {
      if (identity === null) throw invalidUser()
      return { data: describeMe(identity, identity.userId === null ? undefined : accounts.find(identity.userId)) }
    },
  }),
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/users/:id',
    summary: 'Get a user',
    params: userParams,
    output: userSchema,
    errors: unknown,
    handle: ({ accounts }: UsersContext, { params, identity }) => ({
      data: describeUser(userOf(accounts, params.id, identity)),
    }),
  }),
  changeUser({
    path: '/users/:id',
    params: userParams,
    summary: 'Change a user',
    description:
      "Changes the given fields, all or none. A new password logs the user out everywhere; changing one's own " +
      'requires the current one.',
  }),
  changeUser({
    path: '/users/me',
    can: 'account',
    summary: 'Change the current user',
    description:
      'Every user may; only administrators the role. A new password ends all other logins; the browser that changed it ' +
      'gets a new cookie and nonce.',
  }),
  removeUser({
    path: '/users/:id',
    params: userParams,
    summary: 'Remove a user',
    description: 'Also removes the application passwords and logins of the user.',
  }),
  removeUser({ path: '/users/me', summary: 'Remove the current user' }),
]
