// The list of endpoints: router, OpenAPI document and namespace index follow it.
import type { Context } from '../context.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { engagement } from './engagement.ts'
import { event } from './event.ts'
import { forget } from './forget.ts'
import { hit } from './hit.ts'
import { pages } from './pages.ts'
import { realtime } from './realtime.ts'
import { sessionEndpoints } from './session.ts'
import { summary } from './summary.ts'

export const endpoints: readonly Endpoint<Context>[] = [
  hit, event, engagement, forget,
  summary, pages, realtime,
  ...sessionEndpoints,
]
