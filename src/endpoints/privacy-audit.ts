import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { languageEntry, languageOf } from '../http/language.ts'
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
