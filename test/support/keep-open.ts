import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'

/** Keeps idle connections: a machine that stood still must not end one just as the next request is on its way. */
export const keepOpen = <T extends Server | SecureServer>(server: T): T => {
  server.keepAliveTimeout = 600_000
  return server
}
