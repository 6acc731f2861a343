import * as v from 'valibot'
import { collection } from './hit.ts'

/** Documented here; src/http/collection.ts serves it on node:http. */
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
