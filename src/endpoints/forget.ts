import * as v from 'valibot'
import { collection } from './hit.ts'

/** Documented here; src/http/collection.ts serves it on node:http. */
export const forget = collection({
  path: '/forget',
  summary: 'Erase what is kept under the id of a browser that consented to be known',
  body: v.object({
    visitor_id: v.pipe(
      v.string(),
      v.description('The id that the browser sent as visitor_id. The answer is 204 whether it is known or not.'),
    ),
  }),
})
