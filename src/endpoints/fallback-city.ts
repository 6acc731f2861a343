import * as v from 'valibot'
import type { Context } from '../service/context.ts'
import { endpoint } from '../http/endpoint.ts'

const text = v.nullable(v.string())

export const fallbackCity = endpoint({
  method: 'POST',
  path: '/diagnostics/enable-fallback-city',
  can: 'manage_options',
  tag: 'Administration',
  summary: 'Fetch the free city database, in the background',
  description:
    'It is checked before it takes its place beside the database. Called again, it tells how far that is; nothing is fetched twice.',
  status: 202,
  output: v.object({
    status: v.picklist(['pending', 'ready', 'failed']),
    database_present: v.boolean(),
    build_date: text,
    last_error: text,
  }),
  handle: ({ enableFallback }: Context) => ({ data: enableFallback() }),
})
