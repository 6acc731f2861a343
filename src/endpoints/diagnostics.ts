import * as v from 'valibot'
import { type Diagnostics, diagnosticsSchema } from '../checks/diagnostics/schema.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageEntry, languageOf } from '../http/language.ts'
import type { Language } from '../lib/texts.ts'

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
