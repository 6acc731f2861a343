import * as v from 'valibot'
import { diagnosticsSchema, type Diagnostics } from '../checks/diagnostics/schema.ts'
import { translateFindings } from '../checks/translate.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageEntry, languageOf } from '../http/language.ts'

export const diagnostics = endpoint({
  method: 'GET',
  path: '/diagnostics',
  can: 'manage_options',
  tag: 'Operation',
  summary: 'The state of the installation and its problems',
  description: 'Each finding has a message and a hint; the most severe come first.',
  query: v.object(languageEntry),
  output: diagnosticsSchema,
  handle: async ({ diagnose }: { diagnose: () => Promise<Diagnostics> }, request) => {
    const state = await diagnose()
    return {
      data: { ...state, findings: translateFindings(state.findings, languageOf(request.query.lang, request).name) },
    }
  },
})
