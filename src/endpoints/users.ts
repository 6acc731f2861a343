import * as v from 'valibot'
import type { Context } from '../service/context.ts'
import { endpoint, type Answer, type Call, type Endpoint, type Identity } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { timeSchema } from '../http/schemas.ts'
import { userOf, userParams } from '../identity/accounts.ts'
import { invalidUser, refusing } from '../identity/refusal.ts'
import {
  administrator,
  capabilitiesOf,
  localeRule,
  loginRule,
  passwordRule,
  roleRule,
  type Rule,
} from '../identity/rules.ts'
import { generatePassword, nameOf, type User } from '../identity/users.ts'
import { timeText } from '../lib/time.ts'

/** What these endpoints need of the router's context. */
export type UsersContext = Pick<Context, 'accounts' | 'identity'>

const ruled = (rule: Rule, description: string) =>
  v.pipe(
    v.string(),
    v.check(
      text => rule(text) === null,
      issue => rule(issue.input) ?? '',
    ),
    v.description(description),
  )

const loginSchema = ruled(loginRule, 'Known in any case; cannot be changed later.')
const roleSchema = ruled(roleRule, 'What the user may do: `administrator` all, any other name nothing.')
const localeSchema = ruled(localeRule, 'Language of the dashboard and of answers, such as en or de-AT.')
const passwordSchema = ruled(text => passwordRule(text), 'Of 8 characters or more.')

const user = {
  id: v.pipe(v.number(), v.integer()),
  login: v.string(),
  role: v.string(),
  locale: v.string(),
  capabilities: v.array(v.string()),
  created: timeSchema,
}
const userSchema = v.object(user)
const meSchema = v.object({
  ...user,
  id: v.pipe(v.nullable(user.id), v.description('Null for a user of the host platform.')),
  created: v.nullable(timeSchema),
  identity: v.pipe(v.string(), v.description('Key of the preferences: `local:` or `wp:` and a number.')),
})

export type UserAnswer = v.InferOutput<typeof userSchema>

const describe = ({ createdAt, ...found }: User): UserAnswer => ({
  ...found,
  capabilities: [...capabilitiesOf(found.role)],
  created: timeText(createdAt),
})

const describeMe = (identity: Identity, found: User | undefined): v.InferOutput<typeof meSchema> => ({
  id: found?.id ?? null,
  login: identity.login,
  role: identity.role,
  locale: identity.locale,
  capabilities: [...identity.capabilities],
  created: found === undefined ? null : timeText(found.createdAt),
  identity: identity.id,
})

const restricted = { can: 'manage_options', tag: 'Users' } as const
/** A password in an address would end up in logs: bodies only. */
const accepts = ['application/json'] as const
const unknown = { 404: ['rest_user_invalid_id'] }
const lastOne = { 409: ['rest_user_last_administrator'] }

const wrongPassword = (): ApiError =>
  new ApiError(403, 'rest_user_incorrect_password', 'The current password is incorrect.')

/** Who changes their own password proves that they know the one they have: a browser left open is not enough. */
const proveOwn = async (
  { identity: { logIn } }: UsersContext,
  { login }: User,
  current: string | undefined,
  address: string | null,
): Promise<void> => {
  if (current === undefined)
    throw new ApiError(400, 'rest_missing_callback_param', 'Missing parameter(s): current_password', {
      params: ['current_password'],
    })
  if ((await logIn(login, current, address)) === null) throw wrongPassword()
}

const changesSchema = v.object({
  role: v.optional(roleSchema),
  locale: v.optional(localeSchema),
  password: v.optional(passwordSchema),
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
  { body: { current_password, ...changes }, identity, request, url, address }: From,
): Promise<Answer<UserAnswer>> => {
  const {
    accounts,
    identity: { browsers },
  } = context
  const own = changes.password !== undefined && identity?.id === nameOf(known)
  if (own) await proveOwn(context, known, current_password, address)
  const browser = browsers.find(request, { url, address })
  const changed = await refusing(() => accounts.update(known, changes, identity?.id ?? ''))
  if (changed === undefined) throw invalidUser()
  // The browser that has just proved to be the user's goes on, under a new session.
  const opened =
    own && browser?.user_id === known.id
      ? browsers.open(request, { url, address }, { userId: known.id, passwordHash: null })
      : null
  const headers = opened === null ? {} : { 'Set-Cookie': opened.cookie, 'X-WP-Nonce': browsers.nonceOf(opened.browser) }
  return { data: describe(changed), headers }
}

const remove = async (
  { accounts }: UsersContext,
  known: User,
  identity: Identity | null,
): Promise<Answer<{ deleted: boolean; previous: UserAnswer }>> => {
  if (!(await refusing(() => accounts.remove(known, identity?.id ?? '')))) throw invalidUser()
  return { data: { deleted: true, previous: describe(known) } }
}

const changing = {
  ...restricted,
  method: 'PUT',
  accepts,
  body: changesSchema,
  output: userSchema,
  errors: { ...unknown, ...lastOne, 403: ['rest_user_incorrect_password'], 429: ['rest_too_many_requests'] },
} as const

const removing = {
  ...restricted,
  method: 'DELETE',
  output: v.object({ deleted: v.boolean(), previous: userSchema }),
  errors: { ...unknown, ...lastOne },
} as const

export const userEndpoints: readonly Endpoint<UsersContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/users',
    summary: 'List users',
    output: v.array(userSchema),
    handle: ({ accounts }: UsersContext) => ({ data: accounts.list().map(describe) }),
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
      locale: v.optional(localeSchema, 'en'),
      password: v.optional(
        v.pipe(passwordSchema, v.description('Default: a generated one, which the answer shows once.')),
      ),
    }),
    output: v.object({
      ...user,
      password: v.optional(v.pipe(v.string(), v.description('The generated password. It is not shown again.'))),
    }),
    status: 201,
    errors: { 400: ['existing_user_login'] },
    handle: async ({ accounts }: UsersContext, { body, identity, url }) => {
      const password = body.password ?? generatePassword()
      const added = await refusing(() => accounts.create({ ...body, password }, identity?.id ?? ''))
      const headers = { Location: new URL(`${url.pathname.replace(/\/+$/, '')}/${added.id}`, url).href }
      return { data: { ...describe(added), ...(body.password === undefined && { password }) }, headers }
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
      data: describe(userOf(accounts, params.id, identity)),
    }),
  }),
  endpoint({
    ...changing,
    path: '/users/:id',
    summary: 'Change a user',
    description:
      "Changes the given fields, all or none. A new password logs the user out everywhere; changing one's own requires the current one.",
    params: userParams,
    handle: (context: UsersContext, call) =>
      change(context, userOf(context.accounts, call.params.id, call.identity), call),
  }),
  endpoint({
    ...changing,
    path: '/users/me',
    summary: 'Change the current user',
    description: 'A new password ends all other sessions; the browser that changed it gets a new cookie and nonce.',
    handle: (context: UsersContext, call) => change(context, userOf(context.accounts, 'me', call.identity), call),
  }),
  endpoint({
    ...removing,
    path: '/users/:id',
    summary: 'Remove a user',
    description: 'Also removes the application passwords and sessions of the user.',
    params: userParams,
    handle: (context: UsersContext, { params, identity }) =>
      remove(context, userOf(context.accounts, params.id, identity), identity),
  }),
  endpoint({
    ...removing,
    path: '/users/me',
    summary: 'Remove the current user',
    handle: (context: UsersContext, { identity }) =>
      remove(context, userOf(context.accounts, 'me', identity), identity),
  }),
]
