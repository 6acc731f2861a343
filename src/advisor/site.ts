import type { ReportContext } from '../reports/context.ts'
import type { Settings } from '../settings/settings.ts'
import { countryOfZone } from './home-country.ts'
import type { AdvisorOptions } from './options.ts'
import type { AuditCheck, Finding, Site } from './question.ts'

/** The context of answers. */
export type AdvisorContext = ReportContext & {
  settings: { current: () => Settings }
  advisor: AdvisorOptions
  privacyAudit: () => Promise<{ checks: readonly AuditCheck[] }>
  diagnose: (thorough?: boolean) => Promise<{ findings: readonly Finding[] }>
}

const homeCountries = new Map<string, string | null>()

const homeOf = (zone: string): string | null => {
  const cached = homeCountries.get(zone)
  if (cached !== undefined) return cached
  const country = countryOfZone(zone)
  homeCountries.set(zone, country)
  return country
}

/** Loads on first use and returns the same result afterwards. */
const once = <Result>(load: () => Promise<Result>): (() => Promise<Result>) => {
  let result: Promise<Result> | null = null
  return () => (result ??= load())
}

/** The site as seen by one batch of questions. */
export const siteOf = ({ settings, advisor, zone, privacyAudit, diagnose }: AdvisorContext): Site => ({
  trackingEnabled: settings.current().tracking_enabled,
  geoEnabled: settings.current().geoip_enabled,
  hasCities: advisor.hasCities(),
  homeCountry: () => advisor.homeCountry ?? homeOf(zone.name),
  hosts: advisor.siteHosts,
  audit: once(async () => (await privacyAudit()).checks),
  findings: once(async () => (await diagnose(false)).findings.filter(({ severity }) => severity !== 'info')),
})
