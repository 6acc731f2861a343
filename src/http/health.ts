import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Handler } from './server.ts'

/** 200 while the database can be read and written, else 503. */
export const createHealthHandler =
  (isHealthy: () => boolean): Handler =>
  (request: IncomingMessage, response: ServerResponse) => {
    const healthy = isHealthy()
    const text = JSON.stringify({ status: healthy ? 'ok' : 'error' })
    response.writeHead(healthy ? 200 : 503, {
      'content-type': 'application/json; charset=UTF-8',
      'content-length': text.length,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    response.end(request.method === 'HEAD' ? undefined : text)
    return true
  }
