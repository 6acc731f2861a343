import type { Language } from '../lib/texts.ts'
import type { ReportContext } from '../reports/context.ts'
import type { Settings } from '../settings/settings.ts'
import { countryOfZone } from './home-country.ts'
import type { AdvisorOptions } from './options.ts'
import type { AuditCheck, Finding, Site } from './question.ts'

/** The context of answers. */
export type AdvisorContext = ReportContext & {
  settings: { current: () => Settings }
  advisor: AdvisorOptions
  privacyAudit: (language: Language) => Promise<{ checks: readonly AuditCheck[] }>
  diagnose: (language: Language, thorough?: boolean) => Promise<{ findings: readonly Finding[] }>
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
const once = <Result>(load: (language: Language) => Promise<Result>): ((language: Language) => Promise<Result>) => {
  let result: Promise<Result> | null = null
  return language => (result ??= load(language))
}

/** The site as seen by one batch of questions, which are answered in one language. */
export const siteOf = ({ settings, advisor, zone, privacyAudit, diagnose }: AdvisorContext): Site => ({
  trackingEnabled: settings.current().tracking_enabled,
  geoEnabled: settings.current().geoip_enabled,
  hasCities: advisor.hasCities(),
  homeCountry: () => advisor.homeCountry ?? homeOf(zone.name),
  hosts: advisor.siteHosts,
  audit: once(async language => (await privacyAudit(language)).checks),
  findings: once(async language =>
    (await diagnose(language, false)).findings.filter(({ severity }) => severity !== 'info'),
  ),
})
