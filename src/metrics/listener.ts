import { createServer, type Server } from 'node:http'
import { closeServer, listen } from '../http/server.ts'
import { metricsType } from './text.ts'

/** A second port that serves only metrics, without authentication: for a network that only the monitoring can reach. */
export type MetricsListener = { url: string; close: () => Promise<void> }

const createMetricsServer = (read: () => Promise<string>): Server =>
  createServer(async (request, response) => {
    const isMetrics =
      (request.url ?? '').split('?', 1)[0] === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    if (!isMetrics) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Metrics are at /metrics.\n')
      return
    }
    try {
      const text = await read()
      response
        .writeHead(200, { 'content-type': metricsType, 'cache-control': 'no-store' })
        .end(request.method === 'HEAD' ? undefined : text)
    } catch {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('The metrics are currently unavailable.\n')
    }
  })

export const listenForMetrics = async (
  { host, port }: { host: string; port: number },
  read: () => Promise<string>,
): Promise<MetricsListener> => {
  const server = createMetricsServer(read)
  const url = await listen(server, host, port)
  return { url: `${url}/metrics`, close: () => closeServer(server) }
}
