import * as v from 'valibot'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { timeSchema, uuidSchema } from '../http/schemas.ts'
import type { Invitation } from '../identity/invitations.ts'
import { withApiErrors } from '../identity/refusal.ts'
import { viewer } from '../identity/roles.ts'
import { localeSchema, loginSchema, passwordSchema, roleSchema } from '../identity/user-schemas.ts'
import { whoOf } from '../identity/who.ts'
import { timeText } from '../lib/time.ts'
import { filtersSchema, readHeld } from '../reports/held-filters.ts'
import { filtersBody } from '../reports/segment.ts'
import { describeSession, noStore, type SessionContext, sessionSchema } from './session.ts'

const entries = {
  uuid: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.description('For whom it is, as the administrator calls them.')),
  role: v.string(),
  filters: v.pipe(v.nullable(filtersSchema), v.description('What the user will be held to. Null: sees all visits.')),
  created: timeSchema,
  expires_at: v.pipe(timeSchema, v.description('Seven days after it was made.')),
}
const invitationSchema = v.object(entries)
export type InvitationAnswer = v.InferOutput<typeof invitationSchema>

const describe = ({ createdAt, expiresAt, ...invitation }: Invitation): InvitationAnswer => ({
  ...invitation,
  created: timeText(createdAt),
  expires_at: timeText(expiresAt),
})

const restricted = { can: 'manage_options', local: true, guarded: true, tag: 'Users and access' } as const
const accepts = ['application/json'] as const
const unknown = { 404: ['rest_invitation_not_found'] }
const notFound = (): ApiError =>
  new ApiError(404, 'rest_invitation_not_found', 'This invitation is invalid, was used or withdrawn, or has expired.')

/** Invitations: made and withdrawn by administrators, accepted once by whoever has the link. */
export const invitationEndpoints: readonly Endpoint<SessionContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/invitations',
    summary: 'List invitations that were not accepted yet',
    output: v.array(invitationSchema),
    handle: ({ identity: { invitations } }: SessionContext) => ({ data: invitations.list().map(describe) }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/invitations',
    summary: 'Invite somebody',
    description: 'Anyone who has the token makes a user with this role and these filters, once, within seven days.',
    accepts,
    body: v.object({
      name: entries.name,
      role: v.optional(roleSchema, viewer),
      filters: v.optional(
        v.pipe(v.nullable(filtersBody), v.description('What the user will be held to; not for administrators.')),
        null,
      ),
    }),
    output: v.object({
      ...entries,
      token: v.pipe(
        v.string(),
        v.description('The address is that of the dashboard, `#invite=`, and this. It is not shown again.'),
      ),
    }),
    status: 201,
    handle: async (context: SessionContext, { body: { filters, ...body }, identity }) => {
      const { invitations } = context.identity
      const held = filters && readHeld(context, filters, identity?.locale ?? 'en')
      const { uuid, token } = await withApiErrors(() => invitations.create({ ...body, filters: held }, whoOf(identity)))
      const created = invitations.list().find(invitation => invitation.uuid === uuid)
      if (created === undefined) throw notFound()
      return { data: { ...describe(created), token } }
    },
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/invitations/:uuid',
    summary: 'Withdraw an invitation',
    description: 'It stops working immediately.',
    params: v.object({ uuid: uuidSchema }),
    output: v.object({ deleted: v.boolean() }),
    errors: unknown,
    handle: ({ identity: { invitations } }: SessionContext, { params, identity }) => {
      if (!invitations.withdraw(params.uuid, whoOf(identity))) throw notFound()
      return { data: { deleted: true } }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/invitations/accept',
    can: 'public',
    tag: 'Users and access',
    summary: 'Accept an invitation, and log in',
    description: 'The answer is 429 after 10 unknown invitations from an address within 15 minutes.',
    accepts,
    bodyLimit: 8192,
    body: v.object({
      token: v.pipe(v.string(), v.maxLength(100)),
      login: loginSchema,
      password: passwordSchema,
      locale: v.optional(localeSchema, 'en'),
    }),
    output: sessionSchema,
    status: 201,
    errors: { 400: ['existing_user_login'], ...unknown, 429: ['rest_too_many_requests'] },
    handle: async (context: SessionContext, { body: { token, ...guest }, request, url, address }) => {
      const { invitations, browserSessions } = context.identity
      const user = await withApiErrors(() => invitations.accept(token, { ...guest, address }))
      const entrant = user && { userId: user.id, passwordHash: null }
      const opened = entrant && browserSessions.open(request, { url, address }, entrant, 'login')
      if (opened === null) throw notFound()
      return { data: await describeSession(context, opened.session), headers: noStore, cookies: opened.cookies }
    },
  }),
]
