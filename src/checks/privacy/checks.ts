import type { CheckResult } from '../result.ts'
import { say } from '../sentences.ts'
import { contentChecks } from './content-checks.ts'
import { type AuditFacts, type Check, critical, names, warning } from './verdict.ts'

/** Addresses of other hosts in a script. */
const foreignAddresses = (script: string): string[] =>
  [...script.matchAll(/["'`](?:https?:)?\/\/[\w.-]+/g)].map(([match]) => match.slice(1))
const storageWords = (script: string): string[] => [
  ...new Set(
    [...script.matchAll(/document\.cookie|(?:local|session)Storage|indexedDB|caches\.open/g)].map(([match]) => match),
  ),
]
/** Where the tracker keeps a visitor's opt-out, and the id of consent mode `full` once the visitor has agreed. */
const knownStorage = 'localStorage'

/** Visitors of two days below which a share says nothing. */
const leastVisitors = 30
/** Percent of visits; more is a warning. */
const maxLinkable = 15

/** Checks of the file, its folder and its copies. */
const fileChecks: readonly Check[] = [
  [
    'raw_addresses',
    say('raw_addresses_label'),
    ({ measured: { traces } }) => ({
      problem: critical(traces.addresses.length > 0),
      wrong: say('raw_addresses_wrong'),
      right: say('raw_addresses_right'),
      evidence: `${traces.columns} columns were read; found in: ${names(traces.addresses)}`,
    }),
  ],
  [
    'visit_networks',
    say('visit_networks_label'),
    ({ measured: { networks } }) => ({
      problem: critical(networks.columns.length + networks.visits + networks.places + networks.sums > 0),
      wrong: say('visit_networks_wrong'),
      right: say('visit_networks_right'),
      evidence:
        `visits with a number that is not of rules: ${networks.visits}; places with a network: ${networks.places}; ` +
        `sums by network: ${networks.sums}; columns not of Footfall: ${names(networks.columns)}`,
    }),
  ],
  [
    'user_agents',
    say('user_agents_label'),
    ({ measured: { traces } }) => ({
      problem: critical(traces.userAgents.length > 0),
      wrong: say('user_agents_wrong'),
      right: say('user_agents_right'),
      evidence: `${traces.columns} columns were read; found in: ${names(traces.userAgents)}`,
    }),
  ],
  [
    'salt_age',
    say('salt_age_label'),
    ({ measured: { salts } }) => ({
      problem: critical(salts.overdue + salts.unlimited > 0 || salts.inLog),
      wrong: say('salt_age_wrong'),
      right: say('salt_age_right'),
      evidence: `salts: ${salts.salts}, overdue: ${salts.overdue}, without an end: ${salts.unlimited}, in the log: ${salts.inLog ? 'maybe' : 'none'}`,
    }),
  ],
  [
    'linkable_days',
    say('linkable_days_label'),
    ({ measured: { days } }) => {
      const percent = Math.round((100 * days.linkable) / Math.max(days.visits, 1))
      return {
        problem: warning(days.visitors >= leastVisitors && percent > maxLinkable),
        wrong: say('linkable_days_wrong', { percent }),
        right: days.visitors < leastVisitors ? say('linkable_days_few') : say('linkable_days_right', { percent }),
        evidence:
          `visits of the last two whole days: ${days.visits}, of ${days.visitors} visitors; ` +
          `with properties of one visitor a day: ${days.linkable}`,
      }
    },
  ],
  [
    'salts_in_copies',
    say('salts_in_copies_label'),
    ({ measured: { copies, unfinished } }) => ({
      problem: critical(copies.withSalt.length > 0) || warning(unfinished.length > 0),
      wrong: copies.withSalt.length > 0 ? say('salts_in_copies_wrong') : say('salts_in_copies_unfinished'),
      right: say('salts_in_copies_right'),
      evidence:
        `${copies.checked} copies checked; with a salt: ${names(copies.withSalt)}` +
        (unfinished.length > 0 ? `; unfinished: ${names(unfinished)}` : ''),
    }),
  ],
  [
    'own_schema',
    say('own_schema_label'),
    ({ measured: { foreign } }) => ({
      problem: critical(foreign.length > 0),
      wrong: say('own_schema_wrong'),
      right: say('own_schema_right'),
      evidence: `not of Footfall: ${names(foreign)}`,
    }),
  ],
  [
    'visitor_cookies',
    say('visitor_cookies_label'),
    ({ tracker, cookies, content: { settings } }) => {
      const words = storageWords(tracker)
      const unknown = [...words.filter(word => word !== knownStorage), ...(cookies ?? [])]
      const keepsId = settings.consent_mode === 'full' && words.includes(knownStorage)
      return {
        problem: unknown.length > 0 ? 'critical' : warning(keepsId),
        wrong: unknown.length > 0 ? say('visitor_cookies_wrong') : say('visitor_cookies_full'),
        right: say('visitor_cookies_right'),
        evidence:
          `in the tracker: ${names(words)}; consent_mode = ${settings.consent_mode}; set by the public routes: ` +
          `${cookies === null ? 'not checked, no service is running here' : names(cookies)}`,
      }
    },
  ],
  [
    'third_party',
    say('third_party_label'),
    ({ tracker }) => {
      const addresses = foreignAddresses(tracker)
      return {
        problem: critical(addresses.length > 0),
        wrong: say('third_party_wrong'),
        right: say('third_party_right'),
        evidence: `addresses in ${tracker.length} characters of the script: ${names(addresses)}`,
      }
    },
  ],
]

const maxFailedLogins = 20

/** Checks of the installation. */
const setupChecks: readonly Check[] = [
  [
    'https',
    say('https_label'),
    ({ siteUrl }) => ({
      problem: siteUrl === null ? 'warning' : critical(!siteUrl.startsWith('https:')),
      wrong: siteUrl === null ? say('https_unknown') : say('https_wrong'),
      right: say('https_right'),
      evidence: siteUrl === null ? 'no --site-url' : `--site-url begins with ${siteUrl.split(':', 1).join('')}`,
    }),
  ],
  [
    'file_permissions',
    say('file_permissions_label'),
    ({ measured: { open } }) => ({
      problem: critical(open.length > 0),
      wrong: say('file_permissions_wrong'),
      right: say('file_permissions_right'),
      evidence: `readable by others: ${names(open)}`,
    }),
  ],
  [
    'secrets',
    say('secrets_label'),
    ({ measured: { secrets }, content: { settings } }) => {
      const plain = secrets.passwords + secrets.appPasswords
      const hasKey = settings.geoip_license_key !== ''
      return {
        problem: plain > 0 ? 'critical' : warning(hasKey),
        wrong: plain > 0 ? say('secrets_wrong') : say('secrets_key'),
        right: say('secrets_right'),
        evidence:
          `${secrets.passwords} passwords and ${secrets.appPasswords} application passwords not hashed; license ` +
          `key ${hasKey ? 'present' : 'absent'}`,
      }
    },
  ],
  [
    'log',
    say('log_label'),
    ({ log }) => ({
      problem: log === null ? 'warning' : critical(log.addresses + log.userAgents > 0),
      wrong: log === null ? say('log_unknown') : say('log_wrong'),
      right: say('log_right'),
      evidence:
        log === null
          ? 'not checked'
          : `of the last ${log.lines} lines, ${log.addresses} with an address and ${log.userAgents} with a user agent`,
    }),
  ],
  [
    'admin_surface',
    say('admin_surface_label'),
    ({ content: { firstPassword }, failedLogins }) => ({
      problem: warning(firstPassword !== null || (failedLogins ?? 0) > maxFailedLogins),
      wrong:
        firstPassword !== null
          ? say('admin_surface_wrong', { login: firstPassword, other: firstPassword })
          : say('admin_surface_attacked'),
      right: say('admin_surface_right'),
      evidence:
        `printed password ${firstPassword === null ? 'changed' : 'in use'}; failed logins of the last 24 hours: ` +
        `${failedLogins ?? 'unknown'}`,
    }),
  ],
]

export const auditChecks: readonly Check[] = [...contentChecks, ...fileChecks, ...setupChecks]

/** The results of all checks of the audit. */
export const runAudit = (facts: AuditFacts): CheckResult[] =>
  auditChecks.map(([id, label, judge]) => {
    const { problem, wrong, right, evidence } = judge(facts)
    return { id, label, status: problem || 'ok', message: problem === false ? right : wrong, evidence }
  })
