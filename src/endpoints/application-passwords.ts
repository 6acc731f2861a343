import * as v from 'valibot'
import { scopeTexts } from '../http/access.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { ApiError, invalidParam } from '../http/errors.ts'
import { timeSchema, uuidSchema } from '../http/schemas.ts'
import { userOf, userParams } from '../identity/accounts.ts'
import { isExpired, limitProblem, scopeNames, unlimited } from '../identity/app-password-limits.ts'
import type { AppPassword } from '../identity/app-passwords.ts'
import { withApiErrors } from '../identity/refusal.ts'
import { nameRule } from '../identity/rules.ts'
import { whoOf } from '../identity/who.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import { readHeld } from '../reports/held-filters.ts'
import { filtersBody } from '../reports/segment.ts'
import type { Context } from './context.ts'

type AccountContext = Pick<Context, 'accounts' | 'segments' | 'clock'>

const passwordEntries = {
  uuid: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  scopes: v.pipe(
    v.array(v.picklist(scopeNames)),
    v.description(
      'What the password may be used for, never more than its user may: `all` for everything, otherwise ' +
        `${Object.entries(scopeTexts)
          .map(([scope, text]) => `\`${scope}\` to ${text}`)
          .join(', ')}.`,
    ),
  ),
  filters: v.pipe(
    v.nullable(v.record(v.string(), v.string())),
    v.description('Filters that apply to every report, as those of a share link.'),
  ),
  segment_id: v.pipe(v.nullable(v.number()), v.description('The saved segment that applies to every report as well.')),
  created: timeSchema,
  expires: v.pipe(v.nullable(timeSchema), v.description('From then on the password is refused like an unknown one.')),
  expired: v.boolean(),
  last_used: v.pipe(v.nullable(timeSchema), v.description('Updated at most once a day.')),
  last_ip: v.pipe(
    v.nullable(v.string()),
    v.description('The network from which it was last used, never a full address.'),
  ),
}
const passwordSchema = v.object(passwordEntries)

export type ApplicationPassword = v.InferOutput<typeof passwordSchema>

const passwordParams = v.object({ ...userParams.entries, uuid: uuidSchema })

const timeOrNull = (at: number | null): string | null => (at === null ? null : timeText(at))

/** A password's own filters, and the segment that is stored with them. */
const filtersOf = ({ filters }: AppPassword) => {
  const { segment, ...own } = filters ?? {}
  return {
    filters: Object.keys(own).length === 0 ? null : own,
    segment_id: segment === undefined ? null : Number(segment),
  }
}

const describe =
  ({ clock }: AccountContext) =>
  (password: AppPassword): ApplicationPassword => ({
    uuid: password.uuid,
    name: password.name,
    scopes: [...password.scopes],
    ...filtersOf(password),
    created: timeText(password.createdAt),
    expires: timeOrNull(password.expiresAt),
    expired: isExpired(password, toSeconds(clock())),
    last_used: timeOrNull(password.lastUsedAt),
    last_ip: password.lastAddress,
  })

const newPassword = v.object({
  name: v.pipe(
    v.string(),
    v.check(
      name => nameRule(name) === null,
      issue => nameRule(issue.input) ?? '',
    ),
    v.description('The name shown in lists.'),
  ),
  scopes: v.optional(v.pipe(v.array(v.picklist(scopeNames)), v.description('Default: `all`. See the answer.')), [
    ...unlimited.scopes,
  ]),
  filters: v.optional(
    v.nullable(v.pipe(filtersBody, v.description('Only with the scope `reports` and no other.'))),
    null,
  ),
  segment_id: v.optional(
    v.nullable(v.pipe(v.number(), v.integer(), v.description('A saved segment; with the same scope as filters.'))),
    null,
  ),
  expires_at: v.optional(
    v.nullable(v.pipe(v.string(), v.isoTimestamp(), v.description('Default: never. At most 3,660 days from now.'))),
    null,
  ),
})

/** @throws ApiError 400 naming the wrong field */
const readNew = (
  context: AccountContext,
  { name, scopes, filters, segment_id, expires_at }: v.InferOutput<typeof newPassword>,
  language: string,
) => {
  const { segments } = context
  const now = toSeconds(context.clock())
  if (segment_id !== null && segments.list().every(({ id }) => id !== segment_id))
    throw invalidParam('segment_id', `There is no segment ${segment_id}.`)
  const segment = segment_id === null ? {} : { segment: String(segment_id) }
  const given = readHeld(context, { ...filters, ...segment }, language)
  const limits = {
    scopes,
    filters: Object.keys(given).length === 0 ? null : given,
    expiresAt: expires_at === null ? null : toSeconds(Date.parse(expires_at)),
  }
  const problem = limitProblem(limits, now)
  if (problem !== null) throw invalidParam(...problem)
  return { name, ...limits }
}

const restricted = { can: 'manage_options', local: true, guarded: true, tag: 'Users and access' } as const
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
    handle: (context: AccountContext, { params, identity }) => ({
      data: context.accounts.passwordsOf(userOf(context.accounts, params.id, identity)).map(describe(context)),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/users/:id/application-passwords',
    summary: 'Create an application password',
    params: userParams,
    body: newPassword,
    output: v.object({
      ...passwordEntries,
      password: v.pipe(v.string(), v.description('For HTTP Basic; spaces are ignored. It is not shown again.')),
    }),
    status: 201,
    errors: { ...unknownUser, 409: ['application_password_duplicate_name'] },
    handle: async (context: AccountContext, { params, body, identity, url }) => {
      const { accounts } = context
      const user = userOf(accounts, params.id, identity)
      const wanted = readNew(context, body, identity?.locale ?? 'en')
      const { uuid, password } = await withApiErrors(() => accounts.createPassword(user, wanted, whoOf(identity)))
      const created = accounts.passwordsOf(user).find(entry => entry.uuid === uuid)
      if (created === undefined) throw notFound()
      const headers = { Location: new URL(`${url.pathname.replace(/\/+$/, '')}/${uuid}`, url).href }
      return { data: { ...describe(context)(created), password }, headers }
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
    handle: (context: AccountContext, { params, identity }) => {
      const { accounts } = context
      const found = accounts
        .passwordsOf(userOf(accounts, params.id, identity))
        .find(({ uuid }) => uuid === params.uuid.toLowerCase())
      if (found === undefined || !accounts.revokePassword(found.uuid, whoOf(identity))) throw notFound()
      return { data: { deleted: true, previous: describe(context)(found) } }
    },
  }),
]
