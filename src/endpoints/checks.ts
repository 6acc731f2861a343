import * as v from 'valibot'
import { type Diagnostics, diagnosticsSchema } from '../checks/diagnostics/schema.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageEntry, languageOf } from '../http/language.ts'
import { countSchema } from '../http/schemas.ts'
import type { Language } from '../lib/texts.ts'
import type { Context } from './context.ts'

const text = v.string()

export const privacyAudit = endpoint({
  method: 'GET',
  path: '/privacy-audit',
  can: 'manage_options',
  tag: 'Operation',
  summary: 'Privacy checks, measured on the running installation',
  query: v.object(languageEntry),
  output: v.object({
    score: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
    checks: v.array(
      v.object({
        id: text,
        status: v.picklist(['pass', 'warning', 'fail']),
        label: text,
        detail: text,
        evidence: text,
      }),
    ),
  }),
  handle: async ({ privacyAudit: audit }: Context, request) => ({
    data: await audit(languageOf(request.query.lang, request)),
  }),
})

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

export const diagnostics = endpoint({
  method: 'GET',
  path: '/diagnostics',
  can: 'manage_options',
  tag: 'Operation',
  summary: 'The state of the installation and its problems',
  description: 'Each finding has a message and a hint; the most severe come first.',
  query: v.object(languageEntry),
  output: diagnosticsSchema,
  handle: async ({ diagnose }: { diagnose: (language: Language) => Promise<Diagnostics> }, request) => ({
    data: await diagnose(languageOf(request.query.lang, request)),
  }),
})
