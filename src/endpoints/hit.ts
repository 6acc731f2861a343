import * as v from 'valibot'
import type { Context } from '../context.ts'
import { endpoint } from '../http/endpoint.ts'

const text = (maximum: number, about: string) => v.optional(v.pipe(v.string(), v.maxLength(maximum), v.description(about)))
const size = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(20_000)))

/** Documented here; src/http/collection.ts serves it on node:http. Values that do not fit are cut or left out, not refused. */
export const hit = endpoint({
  method: 'POST',
  path: '/hit',
  can: 'public',
  tag: 'Collection',
  summary: 'Record a page view',
  description: '204 means: committed and synced to the file, or refused for the sake of privacy. '
    + 'Keys that are not known are ignored; values of a wrong type are treated as absent, too long ones are cut.',
  handled: 'elsewhere',
  bodyLimit: 8 * 1024,
  accepts: ['application/json', 'text/plain'],
  body: v.object({
    page_url: v.pipe(v.string(), v.maxLength(2048), v.description('Absolute URL of an allowed host, or a path.')),
    page_query: text(2048, 'Query string, when page_url has none.'),
    title: text(300, 'Title of the page.'),
    referrer: text(2048, 'URL of the page before; only its host is kept.'),
    pvid: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,36}$/), v.description('Id of the view, by which a repeat is known for 48 hours.'))),
    screen_width: size,
    screen_height: size,
    language: text(35, 'BCP 47 tag.'),
    timezone: text(64, 'IANA zone of the visitor.'),
    consent_granted: v.optional(v.boolean()),
    age: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(3600), v.description('Seconds since it happened: the record is dated back by it.'))),
  }),
  output: null,
  errors: {
    400: ['rest_invalid_json', 'rest_missing_callback_param', 'rest_invalid_param', 'invalid_host'],
    413: ['rest_payload_too_large'], 415: ['rest_unsupported_media_type'], 429: ['rest_too_many_requests'], 503: ['storage_unavailable'],
  },
  handle: (_context: Context) => {
    throw new Error('POST /hit is served before the router')
  },
})
