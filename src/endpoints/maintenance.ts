import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { countSchema } from '../http/schemas.ts'
import { whoOf } from '../identity/who.ts'
import { jobs } from '../jobs/list.ts'
import { metricsType } from '../metrics/text.ts'
import type { Context } from './context.ts'

export const metrics = endpoint({
  method: 'GET',
  path: '/metrics',
  can: 'manage_options',
  scopes: ['metrics'],
  tag: 'Operation',
  summary: 'Metrics of the service in the Prometheus text format',
  description: 'Also at /metrics outside the base. The metrics are listed in docs/metrics.md.',
  produces: 'text/plain',
  output: v.string(),
  handle: async ({ metrics: read }: Context) => ({ text: await read(), headers: { 'content-type': metricsType } }),
})

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

const names = jobs.map(({ name }) => name)
const nameSchema = v.pipe(v.picklist(names), v.description(`One of ${names.join(', ')}.`))

export const cronRun = endpoint({
  method: 'POST',
  path: '/cron/run',
  can: 'manage_options',
  tag: 'Operation',
  summary: 'Run jobs now, one after another',
  description:
    'All jobs, or those named. The service also runs them on its own schedule; this is for platforms with ' +
    'their own scheduler.',
  body: v.optional(v.object({ jobs: v.optional(v.pipe(v.array(nameSchema), v.maxLength(names.length))) })),
  statuses: { 207: 'A job failed.' },
  output: v.object({
    ok: v.boolean(),
    jobs: v.array(v.object({ name: v.string(), ok: v.boolean(), duration_ms: countSchema, message: v.string() })),
  }),
  handle: async ({ runJobs }: Context, { body }) => {
    const requested = body?.jobs
    const results = await runJobs(jobs.filter(({ name }) => requested === undefined || requested.includes(name)))
    const ok = results.every(result => result.ok)
    return { data: { ok, jobs: results }, ...(!ok && { status: 207 }) }
  },
})
