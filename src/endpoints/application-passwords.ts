import * as v from 'valibot'
import type { Context } from '../service/context.ts'
import { endpoint, type Endpoint } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { timeSchema } from '../http/schemas.ts'
import { userOf, userParams } from '../identity/accounts.ts'
import type { AppPassword } from '../identity/app-passwords.ts'
import { withApiErrors } from '../identity/refusal.ts'
import { nameRule } from '../identity/rules.ts'
import { whoOf } from '../identity/who.ts'
import { timeText } from '../lib/time.ts'

type AccountContext = Pick<Context, 'accounts'>

const passwordEntries = {
  uuid: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  created: timeSchema,
  last_used: v.pipe(v.nullable(timeSchema), v.description('Updated at most once a day.')),
  last_ip: v.pipe(
    v.nullable(v.string()),
    v.description('The network from which it was last used, never a full address.'),
  ),
}
const passwordSchema = v.object(passwordEntries)

export type ApplicationPassword = v.InferOutput<typeof passwordSchema>

const passwordParams = v.object({ ...userParams.entries, uuid: v.string() })

const describe = ({ uuid, name, createdAt, lastUsedAt, lastAddress }: AppPassword): ApplicationPassword => ({
  uuid,
  name,
  created: timeText(createdAt),
  last_used: lastUsedAt === null ? null : timeText(lastUsedAt),
  last_ip: lastAddress,
})

const restricted = { can: 'manage_options', tag: 'Users' } as const
const unknownUser = { 404: ['rest_user_invalid_id'] }
const unknown = { 404: ['rest_user_invalid_id', 'rest_application_password_not_found'] }

const notFound = (): ApiError =>
  new ApiError(404, 'rest_application_password_not_found', 'Application password not found.')

export const applicationPasswordEndpoints: readonly Endpoint<AccountContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/users/:id/application-passwords',
    summary: 'The application passwords of a user',
    description: 'The passwords themselves are not stored.',
    params: userParams,
    output: v.array(passwordSchema),
    errors: unknownUser,
    handle: ({ accounts }: AccountContext, { params, identity }) => ({
      data: accounts.passwordsOf(userOf(accounts, params.id, identity)).map(describe),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/users/:id/application-passwords',
    summary: 'Create an application password',
    params: userParams,
    body: v.object({
      name: v.pipe(
        v.string(),
        v.check(
          name => nameRule(name) === null,
          issue => nameRule(issue.input) ?? '',
        ),
        v.description('The name shown in lists.'),
      ),
    }),
    output: v.object({
      ...passwordEntries,
      password: v.pipe(v.string(), v.description('For HTTP Basic; spaces are ignored. It is not shown again.')),
    }),
    status: 201,
    errors: { ...unknownUser, 409: ['application_password_duplicate_name'] },
    handle: async ({ accounts }: AccountContext, { params, body, identity, url }) => {
      const user = userOf(accounts, params.id, identity)
      const { uuid, password } = await withApiErrors(() => accounts.createPassword(user, body.name, whoOf(identity)))
      const created = accounts.passwordsOf(user).find(entry => entry.uuid === uuid)
      if (created === undefined) throw notFound()
      const headers = { Location: new URL(`${url.pathname.replace(/\/+$/, '')}/${uuid}`, url).href }
      return { data: { ...describe(created), password }, headers }
    },
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/users/:id/application-passwords',
    summary: 'Revoke all application passwords of a user',
    params: userParams,
    output: v.object({ deleted: v.boolean(), count: v.pipe(v.number(), v.integer()) }),
    errors: unknownUser,
    handle: async ({ accounts }: AccountContext, { params, identity }) => {
      const user = userOf(accounts, params.id, identity)
      return {
        data: { deleted: true, count: await withApiErrors(() => accounts.revokePasswords(user, whoOf(identity))) },
      }
    },
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/users/:id/application-passwords/:uuid',
    summary: 'Revoke an application password',
    description: 'It stops working immediately.',
    params: passwordParams,
    output: v.object({ deleted: v.boolean(), previous: passwordSchema }),
    errors: unknown,
    handle: ({ accounts }: AccountContext, { params, identity }) => {
      const found = accounts
        .passwordsOf(userOf(accounts, params.id, identity))
        .find(({ uuid }) => uuid === params.uuid.toLowerCase())
      if (found === undefined || !accounts.revokePassword(found.uuid, whoOf(identity))) throw notFound()
      return { data: { deleted: true, previous: describe(found) } }
    },
  }),
]
