// All endpoints. The router, the OpenAPI document and the namespace index are built from this list.

import type { Endpoint } from '../http/endpoint.ts'
import { reportEndpoint } from '../reports/endpoint.ts'
import { reports } from '../reports/of/index.ts'
import { advisorEndpoints } from './advisor.ts'
import { advisorAsk } from './advisor-ask.ts'
import { advisorChanges } from './advisor-changes.ts'
import { preferencesEndpoints } from './advisor-preferences.ts'
import { alertEndpoints } from './alerts.ts'
import { annotationEndpoints } from './annotations.ts'
import { applicationPasswordEndpoints } from './application-passwords.ts'
import { audit } from './audit.ts'
import { batch } from './batch.ts'
import { check } from './check.ts'
import { saveContent } from './content.ts'
import type { Context } from './context.ts'
import { cronRun } from './cron.ts'
import { diagnostics } from './diagnostics.ts'
import { engagement } from './engagement.ts'
import { event } from './event.ts'
import { fallbackCity } from './fallback-city.ts'
import { forget } from './forget.ts'
import { funnelEndpoints } from './funnels.ts'
import { goalEndpoints } from './goals.ts'
import { hit } from './hit.ts'
import { importEndpoints } from './imports.ts'
import { metrics } from './metrics.ts'
import { orders } from './orders.ts'
import { privacyAudit } from './privacy-audit.ts'
import { revenueBackfill } from './revenue-backfill.ts'
import { revenueReconcile } from './revenue-reconcile.ts'
import { secondFactorEndpoints } from './second-factor.ts'
import { segmentEndpoints } from './segments.ts'
import { selfTest } from './self-test.ts'
import { sessionEndpoints } from './session.ts'
import { sessionListEndpoints } from './sessions.ts'
import { settingsEndpoints } from './settings.ts'
import { shareEndpoints } from './share-links.ts'
import { site } from './site.ts'
import { userEndpoints } from './users.ts'
import { woocommerceState } from './woocommerce-state.ts'
import { woocommerceWebhook } from './woocommerce-webhook.ts'

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
