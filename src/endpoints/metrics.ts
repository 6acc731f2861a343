import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { metricsType } from '../metrics/text.ts'
import type { Context } from './context.ts'

export const metrics = endpoint({
  method: 'GET',
  path: '/metrics',
  can: 'manage_options',
  scopes: ['metrics'],
  tag: 'Operation',
  summary: 'Metrics of the service in the Prometheus text format',
  description: 'Also at /metrics outside the base. The metrics are listed in docs/metrics.md.',
  produces: 'text/plain',
  output: v.string(),
  handle: ({ metrics: read }: Context) => ({ text: read(), headers: { 'content-type': metricsType } }),
})
