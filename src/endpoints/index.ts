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
import { botsEndpoints } from './bots.ts'
import { check } from './check.ts'
import { diagnostics, privacyAudit, selfTest } from './checks.ts'
import { engagement, event, forget, hit } from './collection.ts'
import { saveContent } from './content.ts'
import type { Context } from './context.ts'
import { counter } from './counter.ts'
import { digestEndpoints } from './digests.ts'
import { eraseEndpoint } from './erase.ts'
import { funnelEndpoints } from './funnels.ts'
import { goalEndpoints } from './goals.ts'
import { importJobEndpoints } from './import-job.ts'
import { importEndpoints } from './imports.ts'
import { invitationEndpoints } from './invitations.ts'
import { known } from './known-texts.ts'
import { mailEndpoints } from './mail.ts'
import { cronRun, fallbackCity, metrics } from './maintenance.ts'
import { now } from './now.ts'
import { orders } from './orders.ts'
import { revenueBackfill, revenueReconcile } from './revenue.ts'
import { ruleEndpoints } from './rules.ts'
import { secondFactorEndpoints } from './second-factor.ts'
import { segmentEndpoints } from './segments.ts'
import { sessionEndpoints } from './session.ts'
import { sessionListEndpoints } from './sessions.ts'
import { settingsEndpoints } from './settings.ts'
import { shareEndpoints } from './share-links.ts'
import { saveSite, site } from './site.ts'
import { uploadEndpoints } from './uploads.ts'
import { userEndpoints } from './users.ts'
import { woocommerceState, woocommerceWebhook } from './woocommerce.ts'

export const endpoints: readonly Endpoint<Context>[] = [
  hit,
  event,
  engagement,
  forget,
  ...reports.map(reportEndpoint),
  now,
  known,
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
  ...botsEndpoints,
  ...ruleEndpoints,
  eraseEndpoint,
  site,
  saveSite,
  ...mailEndpoints,
  audit,
  cronRun,
  diagnostics,
  selfTest,
  check,
  privacyAudit,
  metrics,
  fallbackCity,
  ...uploadEndpoints,
  ...importJobEndpoints,
  ...importEndpoints,
  ...segmentEndpoints,
  ...goalEndpoints,
  ...funnelEndpoints,
  ...annotationEndpoints,
  ...alertEndpoints,
  ...shareEndpoints,
  counter,
  ...sessionEndpoints,
  batch,
  ...sessionListEndpoints,
  ...userEndpoints,
  ...invitationEndpoints,
  ...digestEndpoints,
  ...secondFactorEndpoints,
  ...applicationPasswordEndpoints,
]
