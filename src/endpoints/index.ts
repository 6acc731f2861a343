// The list of endpoints: router, OpenAPI document and namespace index follow it.
import type { Context, ReportContext } from '../context.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { cronRun } from './cron.ts'
import { diagnostics } from './diagnostics.ts'
import { dimensions } from './dimensions.ts'
import { engagement } from './engagement.ts'
import { event } from './event.ts'
import { eventDetail, events } from './events.ts'
import { fallbackCity } from './fallback-city.ts'
import { forget } from './forget.ts'
import { hit } from './hit.ts'
import { entryPages, exitPages } from './pages-entry-exit.ts'
import { metrics } from './metrics.ts'
import { pages } from './pages.ts'
import { privacyAudit } from './privacy-audit.ts'
import { realtime } from './realtime.ts'
import { selfTest } from './self-test.ts'
import { sessionEndpoints } from './session.ts'
import { settingsEndpoints } from './settings.ts'
import { sources } from './sources.ts'
import { summary } from './summary.ts'
import { utm } from './utm.ts'

/** Those that `footfall report` knows as well. */
export const reports: readonly Endpoint<ReportContext>[] = [
  summary, sources, pages, entryPages, exitPages, realtime, utm, events, eventDetail, dimensions,
]

export const endpoints: readonly Endpoint<Context>[] = [
  hit, event, engagement, forget,
  ...reports,
  ...settingsEndpoints, cronRun, diagnostics, selfTest, privacyAudit, metrics, fallbackCity,
  ...sessionEndpoints,
]
