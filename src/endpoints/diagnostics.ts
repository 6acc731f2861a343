import type { Context } from '../service/context.ts'
import { diagnosticsSchema } from '../checks/diagnostics/schema.ts'
import { endpoint } from '../http/endpoint.ts'

export const diagnostics = endpoint({
  method: 'GET',
  path: '/diagnostics',
  can: 'manage_options',
  tag: 'Administration',
  summary: 'The state of the installation and its problems',
  description: 'Each finding has a message and a hint; the most severe come first.',
  output: diagnosticsSchema,
  handle: async ({ diagnose }: Context) => ({ data: await diagnose() }),
})
