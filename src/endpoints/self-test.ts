import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { languageEntry, languageOf } from '../http/language.ts'
import { countSchema } from '../http/schemas.ts'
import type { Context } from './context.ts'

export const selfTest = endpoint({
  method: 'POST',
  path: '/self-test',
  can: 'manage_options',
  tag: 'Operation',
  summary: 'Run self-tests on temporary files and in a transaction that is rolled back',
  statuses: { 207: 'A check failed.' },
  query: v.object(languageEntry),
  output: v.object({
    ok: v.boolean(),
    checks: v.array(v.object({ id: v.string(), ok: v.boolean(), message: v.string(), duration_ms: countSchema })),
  }),
  handle: async ({ selfTest: run }: Context, request) => {
    const result = await run(languageOf(request.query.lang, request))
    return {
      data: result,
      ...(!result.ok && { status: 207 }),
    }
  },
})
