import * as v from 'valibot'
import { collection, commonBody, idSchema } from './hit.ts'

/** Documented here; src/http/collection.ts serves it on node:http. */
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
