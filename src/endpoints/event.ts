import * as v from 'valibot'
import { collection, commonBody, idSchema } from './hit.ts'

/** Documented here; src/http/collection.ts serves it on node:http. */
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
