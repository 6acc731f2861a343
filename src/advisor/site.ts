import type { ReportContext } from '../context.ts'
import type { Settings } from '../settings.ts'
import { countryOfZone } from './home-country.ts'
import type { AdvisorOptions } from './options.ts'
import type { AuditCheck, Finding, Site } from './question.ts'

/** What answers rest on besides reports. */
export type AdvisorContext = ReportContext & {
  settings: { current: () => Settings }
  advisor: AdvisorOptions
  privacyAudit: () => Promise<{ checks: readonly AuditCheck[] }>
  diagnose: () => Promise<{ findings: readonly Finding[] }>
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
  hasCities: advisor.hasCities(),
  homeCountry: () => advisor.homeCountry ?? homeOf(zone.name),
  audit: async () => (await privacyAudit()).checks,
  findings: async () => (await diagnose()).findings.filter(({ severity }) => severity !== 'info'),
})
