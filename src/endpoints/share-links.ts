import * as v from 'valibot'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { ApiError, invalidParam } from '../http/errors.ts'
import { siteDaySchema, timeSchema, uuidSchema } from '../http/schemas.ts'
import { nameRule, passwordRule } from '../identity/rules.ts'
import {
  counterFigures,
  counterProblem,
  counterRounds,
  counterSchema,
  isOrigin,
  type ShareLink,
} from '../identity/share-links.ts'
import { whoOf } from '../identity/who.ts'
import { readExpiry } from '../lib/expiry.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import { filtersSchema, heldSegment, heldSegmentSchema, readHeld } from '../reports/held-filters.ts'
import { periodNames } from '../reports/named-range.ts'
import { filtersBody } from '../reports/segment.ts'
import { readStart, type StartContext, startSchema } from '../reports/start.ts'
import type { Context } from './context.ts'

type ShareContext = Pick<Context, 'shareLinks' | 'segments' | 'clock' | 'zone'> & StartContext

const link = {
  uuid: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  filters: v.pipe(
    filtersSchema,
    v.description('Filters that apply to every report of the link, as in the query of a report.'),
  ),
  segment: heldSegmentSchema,
  goals: v.pipe(v.boolean(), v.description('Whether it shows goals and funnels.')),
  annotations: v.pipe(v.boolean(), v.description('Whether it shows annotations.')),
  has_password: v.boolean(),
  counter: v.pipe(
    v.nullable(counterSchema),
    v.description('The number that `GET /counter/{uuid}` shows to everybody. Null: none.'),
  ),
  frame: v.pipe(
    v.array(v.string()),
    v.description('Origins whose pages may frame the dashboard at `/frame/{uuid}#share=` and the token.'),
  ),
  created: timeSchema,
  expires_at: v.pipe(v.nullable(timeSchema), v.description('From then on the link is invalid. Null: never.')),
  expired: v.boolean(),
}
const shownEntries = {
  ...link,
  token: v.pipe(v.string(), v.description('The address of the link is that of the dashboard, `#share=`, and this.')),
}
const linkSchema = v.object(link)
export type ShareLinkAnswer = v.InferOutput<typeof linkSchema>

const openedSchema = v.object({
  name: v.string(),
  filters: link.filters,
  segment: link.segment,
  goals: link.goals,
  annotations: link.annotations,
  key: v.pipe(
    v.nullable(v.string()),
    v.description('For a link with a password: send it after the token. Valid for at least 12 hours.'),
  ),
  start: startSchema,
})
export type OpenedLink = v.InferOutput<typeof openedSchema>

const describe =
  (context: ShareContext) =>
  ({ hasPassword, createdAt, expiresAt, frame, ...shared }: ShareLink): ShareLinkAnswer => ({
    ...shared,
    frame: [...frame],
    segment: heldSegment(context, shared.filters),
    has_password: hasPassword,
    created: timeText(createdAt),
    expires_at: expiresAt === null ? null : timeText(expiresAt),
  })

const restricted = { can: 'manage_options', guarded: true, tag: 'Users and access' } as const
const accepts = ['application/json'] as const
const notFound = (): ApiError =>
  new ApiError(404, 'rest_share_not_found', 'This link is invalid, has expired or has been revoked.')

/** Links for reading (ux.md 20): made and revoked by administrators, usable by anyone who has one. */
export const shareEndpoints: readonly Endpoint<ShareContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/share-links',
    summary: 'List share links',
    output: v.array(linkSchema),
    handle: (context: ShareContext) => ({ data: context.shareLinks.list().map(describe(context)) }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/share-links',
    summary: 'Create a share link',
    description:
      'Sent in the X-Footfall-Share header, the token gives access to the reports about visits only. Values that fewer ' +
      'than three visits have in common are shown as `(few)`; a filter that selects fewer shows nothing.',
    accepts,
    body: v.object({
      name: v.pipe(
        v.string(),
        v.check(
          name => nameRule(name) === null,
          'name has 1 to 100 characters, no line breaks, and no space at its ends.',
        ),
      ),
      password: v.optional(
        v.pipe(
          v.string(),
          v.check(
            text => passwordRule(text) === null,
            issue => passwordRule(issue.input) ?? '',
          ),
        ),
      ),
      filters: v.optional(filtersBody, {}),
      goals: v.optional(link.goals, false),
      annotations: v.optional(
        v.pipe(v.boolean(), v.description('Whether it shows annotations, whose texts may be internal.')),
        false,
      ),
      counter: v.optional(
        v.pipe(
          v.nullable(
            v.strictObject({
              figure: v.picklist(counterFigures),
              page: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(500)), '*'),
              period: v.optional(v.nullable(v.picklist(periodNames)), null),
              since: v.optional(v.nullable(siteDaySchema), null),
              round: v.optional(v.picklist(counterRounds), 'exact'),
            }),
          ),
          v.description(
            'A number that everybody may read: page views or visitors of the pages of a pattern such as /blog/*, in a period such as ' +
              '30d or since a day (default: all), exact or in whole hundreds.',
          ),
        ),
        null,
      ),
      frame: v.optional(
        v.pipe(
          v.array(
            v.pipe(v.string(), v.check(isOrigin, 'frame has origins such as https://www.example.org, without a path.')),
          ),
          v.maxLength(10),
          v.description('Origins whose pages may frame the dashboard of the link.'),
        ),
        [],
      ),
      expires_at: v.optional(
        v.pipe(
          v.nullable(v.string()),
          v.description(
            'When it expires: after hours, days or weeks (12h, 90d, 52w), at the end of a day (2026-12-31) in the time ' +
              'zone of the site, or at a time (RFC 3339). At most 3,660 days from now. Default: never.',
          ),
        ),
        null,
      ),
    }),
    output: v.object(shownEntries),
    status: 201,
    handle: async (context: ShareContext, { body, identity }) => {
      const { shareLinks, clock, zone } = context
      const { name, password = null, filters, goals, annotations, counter, frame, expires_at } = body
      const expiry = expires_at === null ? null : readExpiry(expires_at, toSeconds(clock()), zone)
      if (typeof expiry?.problem === 'string') throw invalidParam('expires_at', expiry.problem)
      const problem = counterProblem(counter, filters)
      if (problem !== null) throw invalidParam('counter', problem)
      const given = readHeld(context, filters, identity?.locale ?? 'en')
      const { uuid, token } = await shareLinks.create(
        { name, password, filters: given, goals, annotations, counter, frame, expiresAt: expiry?.at ?? null },
        whoOf(identity),
      )
      const created = shareLinks.list().find(link => link.uuid === uuid)
      if (created === undefined) throw notFound()
      return { data: { ...describe(context)(created), token } }
    },
  }),
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/share-links/:uuid',
    summary: 'Show a share link again',
    description: 'The audit log records who has seen it.',
    params: v.object({ uuid: uuidSchema }),
    output: v.object(shownEntries),
    errors: { 404: ['rest_share_not_found'] },
    handle: (context: ShareContext, { params, identity }) => {
      const shown = context.shareLinks.show(params.uuid, whoOf(identity))
      if (shown === undefined) throw notFound()
      return { data: { ...describe(context)(shown), token: shown.token } }
    },
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/share-links/:uuid',
    summary: 'Revoke a share link',
    description: 'It stops working immediately.',
    params: v.object({ uuid: uuidSchema }),
    output: v.object({ deleted: v.boolean() }),
    errors: { 404: ['rest_share_not_found'] },
    handle: ({ shareLinks }: ShareContext, { params, identity }) => {
      if (!shareLinks.revoke(params.uuid, whoOf(identity))) throw notFound()
      return { data: { deleted: true } }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/share-links/open',
    can: 'public',
    tag: 'Users and access',
    summary: 'Open a share link',
    description: 'The answer is 429 after 10 wrong passwords from an address within 15 minutes.',
    accepts,
    bodyLimit: 8192,
    body: v.object({
      token: v.pipe(v.string(), v.maxLength(100)),
      password: v.optional(v.pipe(v.string(), v.maxLength(2048))),
    }),
    output: openedSchema,
    errors: { 401: ['rest_share_locked'], 404: ['rest_share_not_found'], 429: ['rest_too_many_requests'] },
    handle: async (context: ShareContext, { body: { token, password = null }, address }) => {
      const opened = await context.shareLinks.open(token, password, address)
      if (opened === null) throw notFound()
      if (opened === 'locked')
        throw new ApiError(
          401,
          'rest_share_locked',
          password === null ? 'This link requires a password.' : 'The password is incorrect.',
        )
      return {
        data: {
          ...opened,
          segment: heldSegment(context, opened.filters),
          start: await readStart(context, opened.filters),
        },
        headers: { 'Cache-Control': 'no-store' },
      }
    },
  }),
]
