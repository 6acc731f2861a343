import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { countSchema } from '../http/schemas.ts'
import { jobs } from '../jobs/list.ts'
import type { Context } from './context.ts'

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
