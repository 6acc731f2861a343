import * as v from 'valibot'
import { kinds } from '../config/kinds.ts'
import { type Subscription, subscriptionPeriods } from '../digest/subscriptions.ts'
import { mayCall } from '../http/access.ts'
import { type Endpoint, endpoint, type Identity } from '../http/endpoint.ts'
import { ApiError, forbidden, invalidParam } from '../http/errors.ts'
import { timeSchema, uuidSchema } from '../http/schemas.ts'
import { invalidUser } from '../identity/refusal.ts'
import { localeSchema } from '../identity/user-schemas.ts'
import { whoOf } from '../identity/who.ts'
import { presentAt } from '../lib/calendar.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import { filtersSchema, heldSegment, heldSegmentSchema, readHeld } from '../reports/held-filters.ts'
import { summary } from '../reports/of/summary.ts'
import { filtersBody } from '../reports/segment.ts'
import type { Context } from './context.ts'

type DigestsContext = Pick<Context, 'subscriptions' | 'mail' | 'segments' | 'clock' | 'zone'>

const period = v.pipe(
  v.picklist(subscriptionPeriods),
  v.description('Sent on the day that weeks begin on, or on the 1st, of what is over then.'),
)

const digestSchema = v.object({
  uuid: v.pipe(v.string(), v.uuid()),
  login: v.pipe(v.string(), v.description('Whose it is.')),
  address: v.string(),
  period,
  lang: v.string(),
  filters: v.pipe(
    filtersSchema,
    v.description('Which visits it is of, besides what the user is held to. Empty: all that the user may see.'),
  ),
  segment: heldSegmentSchema,
  created: timeSchema,
})
export type OwnDigest = v.InferOutput<typeof digestSchema>

const listSchema = v.object({
  missing: v.pipe(
    v.nullable(v.picklist(['mail', 'public_url'])),
    v.description(
      'Why nothing is sent: `mail` if neither FOOTFALL_SMTP_URL nor --mail-command is set, `public_url` if --public-url is not, ' +
        'which the link in a digest needs. Null: nothing is missing.',
    ),
  ),
  digests: v.array(digestSchema),
})
export type OwnDigests = v.InferOutput<typeof listSchema>

const describe = (
  context: DigestsContext,
  { uuid, login, address, period: every, language, filters, createdAt }: Subscription,
): OwnDigest => ({
  ...{ uuid, login, address, period: every },
  lang: language,
  filters: { ...filters },
  segment: heldSegment(context, filters),
  created: timeText(createdAt),
})

const account = { can: 'account', guarded: true, tag: 'Users and access' } as const

/** Whose the caller may see and end; null for those of all users. */
const reachOf = (identity: Identity | null): number | null => {
  if (identity === null) throw invalidUser()
  return identity.capabilities.includes('manage_options') ? null : identity.userId
}

const newDigest = v.object({
  address: v.pipe(
    v.string(),
    v.check(text => kinds.mailAddress.parse(text) !== undefined, `address is ${kinds.mailAddress.expects}.`),
    v.description('Who gets it. It is in the file, in no log.'),
  ),
  period: v.optional(period, 'week'),
  lang: v.optional(localeSchema),
  filters: v.optional(
    v.pipe(
      filtersBody,
      v.description('Which visits it is of, as the body of a share link; without a segment for users held to filters.'),
    ),
    {},
  ),
})

/** Digests that users have sent to themselves; administrators see and end those of all. */
export const digestEndpoints: readonly Endpoint<DigestsContext>[] = [
  endpoint({
    ...account,
    method: 'GET',
    path: '/digests',
    summary: 'The digests that are sent to users',
    description: 'One’s own; an administrator sees those of all users.',
    output: listSchema,
    handle: (context: DigestsContext, { identity }) => {
      const reach = reachOf(identity)
      const { mail, subscriptions } = context
      const listed = subscriptions.list().filter(({ userId }) => reach === null || userId === reach)
      return { data: { missing: mail.missing, digests: listed.map(one => describe(context, one)) } }
    },
  }),
  endpoint({
    ...account,
    method: 'POST',
    path: '/digests',
    summary: 'Have digests sent to oneself',
    description:
      'For users who may read reports, at most ten each. Filters that the user is held to apply as well, as they are when the digest is ' +
      'made. Each message has a link that ends it without a login. The first one is of the week or month that is not over yet.',
    accepts: ['application/json'],
    body: newDigest,
    output: digestSchema,
    status: 201,
    handle: (context: DigestsContext, { body: { lang, filters, ...chosen }, identity }) => {
      if (identity === null || identity.userId === null) throw invalidUser()
      if (!mayCall(summary, identity)) throw forbidden(identity, summary)
      if (identity.filters !== undefined && filters.segment !== undefined)
        throw invalidParam('filters', 'A user who is held to filters does not choose segments.')
      const { locale, userId } = identity
      const wanted = { ...chosen, language: lang ?? locale, filters: readHeld(context, filters, locale) }
      const present = presentAt(context.zone, toSeconds(context.clock()))
      return { data: describe(context, context.subscriptions.add(userId, wanted, present, whoOf(identity))) }
    },
  }),
  endpoint({
    ...account,
    method: 'DELETE',
    path: '/digests/:uuid',
    summary: 'End a digest',
    description: 'One of one’s own; an administrator may end those of all users.',
    params: v.object({ uuid: uuidSchema }),
    output: v.object({ deleted: v.boolean() }),
    errors: { 404: ['rest_digest_not_found'] },
    handle: ({ subscriptions }: DigestsContext, { params, identity }) => {
      if (!subscriptions.end(params.uuid, reachOf(identity), whoOf(identity)))
        throw new ApiError(404, 'rest_digest_not_found', 'There is no such digest.')
      return { data: { deleted: true } }
    },
  }),
]
