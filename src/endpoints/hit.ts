import * as v from 'valibot'
import { type Endpoint, endpoint, type ObjectSchema } from '../http/endpoint.ts'
import type { Context } from './context.ts'

const text = (maximum: number, about: string) =>
  v.optional(v.pipe(v.string(), v.maxLength(maximum), v.description(about)))
const size = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(20_000)))

export const idSchema = (about: string) => v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,36}$/), v.description(about))

/** Keys accepted by all three record types. */
export const commonBody = {
  consent_granted: v.optional(v.boolean()),
  visitor_id: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,64}$/), v.description('Used only in consent mode full.')),
  ),
  age: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(3600),
      v.description('Seconds since it happened; the record is backdated by them.'),
    ),
  ),
}

/** A collection route, served by src/collection/handler.ts. Invalid values are truncated or dropped, not rejected. */
export const collection = ({
  path,
  summary,
  body,
}: {
  path: string
  summary: string
  body: ObjectSchema
}): Endpoint<Context> =>
  endpoint({
    method: 'POST',
    path,
    can: 'public',
    tag: 'Collection',
    summary,
    description:
      '204 means committed and synced to the file, or refused for privacy reasons. ' +
      'Unknown keys are ignored, values of a wrong type are treated as absent, and long values are truncated.',
    servedBy: 'collection',
    bodyLimit: 8 * 1024,
    accepts: ['application/json', 'text/plain'],
    body,
    output: null,
    errors: {
      400: ['rest_invalid_json', 'rest_missing_callback_param', 'rest_invalid_param', 'invalid_host'],
      413: ['rest_payload_too_large'],
      415: ['rest_unsupported_media_type'],
      429: ['rest_too_many_requests'],
      503: ['storage_unavailable'],
    },
    handle: (_context: Context) => {
      throw new Error(`POST ${path} is served before the router`)
    },
  })

export const hit = collection({
  path: '/hit',
  summary: 'Record a page view',
  body: v.object({
    page_url: v.pipe(v.string(), v.maxLength(2048), v.description('Absolute URL of an allowed host, or a path.')),
    page_query: text(2048, 'Query string, if page_url has none.'),
    title: text(300, 'Title of the page.'),
    referrer: text(2048, 'URL of the previous page; only its host is stored.'),
    pvid: v.optional(idSchema('Id of the page view; a duplicate within 48 hours is not counted.')),
    screen_width: size,
    screen_height: size,
    language: text(35, 'BCP 47 tag.'),
    timezone: text(64, 'IANA zone of the visitor.'),
    resource_type: text(40, 'Type of the page in the CMS, such as post.'),
    resource_id: v.optional(v.pipe(v.number(), v.integer())),
    author: text(100, 'Author of the page.'),
    published_at: text(40, 'Publication date of the page.'),
    status: v.optional(v.pipe(v.number(), v.integer(), v.description('HTTP status of the page as rendered.'))),
    ...commonBody,
  }),
})
