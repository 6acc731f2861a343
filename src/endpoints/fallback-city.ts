import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { whoOf } from '../identity/who.ts'
import type { Context } from './context.ts'

const text = v.nullable(v.string())

export const fallbackCity = endpoint({
  method: 'POST',
  path: '/diagnostics/enable-fallback-city',
  can: 'manage_options',
  tag: 'Operation',
  summary: 'Download the free city database in the background',
  description:
    'The file is verified before it is used. Further calls return its state and do not start another download.',
  status: 202,
  output: v.object({
    status: v.picklist(['pending', 'ready', 'failed']),
    database_present: v.boolean(),
    build_date: text,
    last_error: text,
  }),
  handle: ({ enableFallback, audit }: Context, { identity }) => {
    const data = enableFallback()
    audit.note(whoOf(identity), 'city_database_enabled', {})
    return { data }
  },
})
