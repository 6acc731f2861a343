// All endpoints. The router, the OpenAPI document and the namespace index are built from this list.
import type { Context } from '../service/context.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { reportEndpoint } from '../reports/endpoint.ts'
import type { Report } from '../reports/report.ts'
import { preferencesEndpoints } from './advisor-preferences.ts'
import { advisorAsk } from './advisor-ask.ts'
import { advisorChanges } from './advisor-changes.ts'
import { advisorEndpoints } from './advisor.ts'
import { batch } from './batch.ts'
import { alertEndpoints } from './alerts.ts'
import { annotationEndpoints, annotationList } from './annotations.ts'
import { applicationPasswordEndpoints } from './application-passwords.ts'
import { audit } from './audit.ts'
import { check } from './check.ts'
import { contentList, saveContent } from './content.ts'
import { cronRun } from './cron.ts'
import { diagnostics } from './diagnostics.ts'
import { dimensions } from './dimensions.ts'
import { engagement } from './engagement.ts'
import { event } from './event.ts'
import { eventDetail, events } from './events.ts'
import { fallbackCity } from './fallback-city.ts'
import { filterValues } from './filters.ts'
import { forget } from './forget.ts'
import { funnelReport } from './funnels-report.ts'
import { funnelEndpoints } from './funnels.ts'
import { goalBreakdown } from './goals-breakdown.ts'
import { goalsReport } from './goals-report.ts'
import { goalEndpoints } from './goals.ts'
import { hit } from './hit.ts'
import { entryPages, exitPages } from './pages-entry-exit.ts'
import { metrics } from './metrics.ts'
import { orders } from './orders.ts'
import { pages } from './pages.ts'
import { paths } from './paths.ts'
import { privacyAudit } from './privacy-audit.ts'
import { realtime } from './realtime.ts'
import { refusals } from './refusals.ts'
import { selfTest } from './self-test.ts'
import { revenueBackfill } from './revenue-backfill.ts'
import { importEndpoints } from './imports.ts'
import { revenueReconcile } from './revenue-reconcile.ts'
import { revenueByChannels } from './revenue-channels.ts'
import { revenueByCoupon } from './revenue-coupons.ts'
import { revenueFunnelReport } from './revenue-funnel.ts'
import { revenueByLanding, revenueByUtm } from './revenue-origins.ts'
import { revenueByProduct } from './revenue-products.ts'
import { revenueRefunds } from './revenue-refunds.ts'
import { revenueStatus } from './revenue-status.ts'
import { revenueSummary } from './revenue-summary.ts'
import { revenueTimeseries } from './revenue-timeseries.ts'
import { segmentEndpoints } from './segments.ts'
import { sessionEndpoints } from './session.ts'
import { settingsEndpoints } from './settings.ts'
import { secondFactorEndpoints } from './second-factor.ts'
import { sessionListEndpoints } from './sessions.ts'
import { shareEndpoints } from './share-links.ts'
import { site } from './site.ts'
import { sources } from './sources.ts'
import { summary } from './summary.ts'
import { systemBrowsers } from './systems.ts'
import { userEndpoints } from './users.ts'
import { utm } from './utm.ts'
import { campaignLandings } from './utm-landing.ts'
import { weekdayHours } from './weekday-hours.ts'
import { woocommerceState } from './woocommerce-state.ts'
import { woocommerceWebhook } from './woocommerce-webhook.ts'

/** All reports. `footfall report` runs them without HTTP. */
export const reports: readonly Report[] = [
  summary,
  sources,
  pages,
  entryPages,
  exitPages,
  paths,
  realtime,
  utm,
  campaignLandings,
  events,
  eventDetail,
  systemBrowsers,
  weekdayHours,
  dimensions,
  filterValues,
  goalsReport,
  goalBreakdown,
  funnelReport,
  contentList,
  annotationList,
  refusals,
  revenueStatus,
  revenueSummary,
  revenueTimeseries,
  revenueByChannels,
  revenueByUtm,
  revenueByLanding,
  revenueByProduct,
  revenueFunnelReport,
  revenueRefunds,
  revenueByCoupon,
]

export const endpoints: readonly Endpoint<Context>[] = [
  hit,
  event,
  engagement,
  forget,
  ...reports.map(reportEndpoint),
  orders,
  woocommerceWebhook,
  woocommerceState,
  revenueBackfill,
  ...revenueReconcile,
  ...advisorEndpoints,
  advisorAsk,
  advisorChanges,
  ...preferencesEndpoints,
  saveContent,
  ...settingsEndpoints,
  site,
  audit,
  cronRun,
  diagnostics,
  selfTest,
  check,
  privacyAudit,
  metrics,
  fallbackCity,
  ...importEndpoints,
  ...segmentEndpoints,
  ...goalEndpoints,
  ...funnelEndpoints,
  ...annotationEndpoints,
  ...alertEndpoints,
  ...shareEndpoints,
  ...sessionEndpoints,
  batch,
  ...sessionListEndpoints,
  ...userEndpoints,
  ...secondFactorEndpoints,
  ...applicationPasswordEndpoints,
]
