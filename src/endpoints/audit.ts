import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { pagination, timeSchema, totals } from '../http/schemas.ts'
import { timeText } from '../lib/time.ts'
import type { Context } from './context.ts'

const entrySchema = v.object({
  at: timeSchema,
  who: v.pipe(
    v.nullable(v.string()),
    v.description(
      'A login, with the name of the application password in parentheses; `wp:` and the id of a user of the host ' +
        'platform; `cli` for the command line; `serve` for the service itself. Null for somebody unknown.',
    ),
  ),
  what: v.pipe(v.string(), v.description('What was done, as an English sentence.')),
  action: v.pipe(v.string(), v.description('The same as a code, such as `user_added`.')),
  values: v.pipe(
    v.record(v.string(), v.union([v.string(), v.number()])),
    v.description('The values in the sentence, by name.'),
  ),
})
export type AuditEntry = v.InferOutput<typeof entrySchema>

export const audit = endpoint({
  method: 'GET',
  path: '/audit',
  can: 'manage_options',
  tag: 'Users and access',
  summary: 'Who did what, newest first',
  description:
    'Logins, and changes of users, passwords, share links, settings and data, also by the command line; entries are ' +
    'kept for 400 days. Failed logins are counted, one entry an hour for each account and one for unknown names.',
  list: true,
  query: v.object(pagination),
  output: v.array(entrySchema),
  handle: ({ audit: log }: Context, { query }) => ({
    data: log.list(query).map(({ at, ...entry }) => ({ at: timeText(at), ...entry })),
    headers: totals(log.count(), query.limit),
  }),
})
