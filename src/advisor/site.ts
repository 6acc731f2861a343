import type { ReportContext } from '../context.ts'
import type { Settings } from '../settings.ts'
import { countryOfZone } from './home-country.ts'
import type { AdvisorOptions } from './options.ts'
import type { AuditCheck, Finding, Site } from './question.ts'

/** What answers rest on besides reports. */
export type AdvisorContext = ReportContext & {
  settings: { current: () => Settings }
  advisor: AdvisorOptions
  privacyAudit?: () => Promise<{ checks: readonly AuditCheck[] }>
  diagnose?: () => Promise<{ findings: readonly Finding[] }>
}

/** What the settings alone tell about privacy, where no audit can be made. */
const settingsAudit = ({ consent_mode, respect_dnt, respect_gpc, retention_days, retention_mode }: Settings): AuditCheck[] => {
  const check = (id: string, passed: boolean, label: string, detail: string): AuditCheck => ({ id, status: passed ? 'pass' : 'warning', label, detail })
  return [
    check('consent_mode', consent_mode !== 'full', 'Consent mode', `consent_mode is ${consent_mode}.`),
    check('dnt', respect_dnt, 'Do Not Track', `respect_dnt is ${respect_dnt}.`),
    check('gpc', respect_gpc, 'Global Privacy Control', `respect_gpc is ${respect_gpc}.`),
    check('retention', retention_mode !== 'forever', 'Retention', `Single visits are kept for ${retention_mode === 'forever' ? 'ever' : `${retention_days} days`}.`),
  ]
}

const known = new Map<string, string | null>()

const homeOf = (zone: string): string | null => {
  const found = known.get(zone)
  if (found !== undefined) return found
  const country = countryOfZone(zone)
  known.set(zone, country)
  return country
}

export const siteOf = ({ settings, advisor, zone, privacyAudit, diagnose }: AdvisorContext): Site => ({
  trackingEnabled: settings.current().tracking_enabled,
  geoEnabled: settings.current().geoip_enabled,
  hasCities: advisor.hasCities,
  homeCountry: () => advisor.homeCountry ?? homeOf(zone.name),
  audit: async () => privacyAudit === undefined ? settingsAudit(settings.current()) : (await privacyAudit()).checks,
  findings: async () => diagnose === undefined ? [] : (await diagnose()).findings,
})
