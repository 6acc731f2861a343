// The routes that anyone may post to. Documented here; src/collection/handler.ts serves them on node:http.

import * as v from 'valibot'
import { type Endpoint, endpoint, type ObjectSchema } from '../http/endpoint.ts'
import type { Context } from './context.ts'

const text = (maximum: number, about: string) =>
  v.optional(v.pipe(v.string(), v.maxLength(maximum), v.description(about)))
const size = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(20_000)))

const idSchema = (about: string) => v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,36}$/), v.description(about))

/** Keys accepted by all three record types. */
const commonBody = {
  address: text(
    64,
    'IP address of the visitor, from a back end whose application password has the scope collect; others send none.',
  ),
  user_agent: text(8192, 'The same of the User-Agent header of the visitor.'),
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
const collection = ({
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
    language: text(35, 'BCP 47 tag; kept without its region, but for pt-BR and Chinese.'),
    resource_type: text(40, 'Type of the page in the CMS, such as post.'),
    resource_id: v.optional(v.pipe(v.number(), v.integer())),
    author: text(100, 'Author of the page.'),
    published_at: text(40, 'Publication date of the page.'),
    status: v.optional(v.pipe(v.number(), v.integer(), v.description('HTTP status of the page as rendered.'))),
    ...commonBody,
  }),
})

export const event = collection({
  path: '/event',
  summary: 'Record a custom event',
  body: v.object({
    name: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(100),
      v.description('Name; characters other than A-Z, a-z, 0-9, _ . : - become _. Alias: event_name.'),
    ),
    page_url: v.optional(
      v.pipe(v.string(), v.maxLength(2048), v.description('Absolute URL of an allowed host, or a path.')),
    ),
    pvid: v.optional(idSchema('Id of the page view it happened on.')),
    event_id: v.optional(idSchema('Id of the event, used to detect duplicates for 48 hours.')),
    properties: v.optional(
      v.pipe(
        v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
        v.description('Up to 10 pairs; keys of at most 40 characters, strings of at most 200.'),
      ),
    ),
    value: v.optional(
      v.pipe(v.number(), v.minValue(-1e12), v.maxValue(1e12), v.description('Beyond that it counts as absent.')),
    ),
    order_id: v.optional(v.union([v.string(), v.number()])),
    ...commonBody,
  }),
})

export const engagement = collection({
  path: '/engagement',
  summary: 'Record time on page and scroll depth',
  body: v.object({
    pvid: idSchema('Id of the page view.'),
    page_url: v.optional(v.pipe(v.string(), v.maxLength(2048))),
    engagement_time: v.optional(
      v.pipe(
        v.number(),
        v.minValue(0),
        v.maxValue(86_400),
        v.description('Seconds that the page has been visible so far; the maximum is kept.'),
      ),
    ),
    scroll_depth: v.optional(
      v.pipe(
        v.number(),
        v.minValue(0),
        v.maxValue(100),
        v.description('Percent of the page seen; the maximum is kept.'),
      ),
    ),
    ...commonBody,
  }),
})

export const forget = collection({
  path: '/forget',
  summary: 'Erase the data of a visitor by visitor_id',
  body: v.object({
    visitor_id: v.pipe(
      v.string(),
      v.description('The id that the browser sent as visitor_id. The answer is 204 even if it is unknown.'),
    ),
  }),
})
