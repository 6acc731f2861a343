import type { Context } from '../service/context.ts'
import { diagnosticsSchema } from '../checks/diagnostics/schema.ts'
import { endpoint } from '../http/endpoint.ts'

export const diagnostics = endpoint({
  method: 'GET',
  path: '/diagnostics',
  can: 'manage_options',
  tag: 'Administration',
  summary: 'The state of the installation, and what may be wrong with it',
  description: 'Findings are sentences with the next step; the gravest come first.',
  output: diagnosticsSchema,
  handle: async ({ diagnose }: Context) => ({ data: await diagnose() }),
})
