import type { CheckResult } from '../result.ts'
import { contentChecks } from './content-checks.ts'
import { critical, names, warning, type AuditFacts, type Check } from './verdict.ts'

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

/** Checks of the file, its folder and its copies. */
const fileChecks: readonly Check[] = [
  [
    'raw_addresses',
    'The file contains no address of a visitor',
    ({ measured: { traces } }) => ({
      problem: critical(traces.addresses.length > 0),
      wrong: "Some texts look like addresses. 'footfall forget' removes pages, events and referrers.",
      right: 'No text and no bytes look like an address.',
      evidence: `${traces.columns} columns were read; found in: ${names(traces.addresses)}`,
    }),
  ],
  [
    'user_agents',
    'The file contains no user agent',
    ({ measured: { traces } }) => ({
      problem: critical(traces.userAgents.length > 0),
      wrong: "Some texts look like user agents. 'footfall forget' removes pages and events.",
      right: 'Of a user agent only browser, system and their major versions are kept.',
      evidence: `${traces.columns} columns were read; found in: ${names(traces.userAgents)}`,
    }),
  ],
  [
    'salt_age',
    'Salts are destroyed at the end of their day',
    ({ measured: { salts } }) => ({
      problem: critical(salts.overdue + salts.unlimited > 0),
      wrong:
        "Some salts are older than their day, so days could be linked. Start the service or run 'footfall cron " +
        "salt' to destroy them.",
      right: 'Days cannot be linked with each other.',
      evidence: `salts: ${salts.salts}, overdue: ${salts.overdue}, without an end: ${salts.unlimited}`,
    }),
  ],
  [
    'salts_in_copies',
    'No copy of the file contains a salt',
    ({ measured: { copies } }) => ({
      problem: critical(copies.withSalt.length > 0),
      wrong: "Copies that were not made by 'footfall backup' contain the day's salt: delete them.",
      right: 'Backups and copies in the folder of the database contain none.',
      evidence: `${copies.checked} copies checked; with a salt: ${names(copies.withSalt)}`,
    }),
  ],
  [
    'visitor_cookies',
    'Visitors get no cookie, and no id is stored in their browser',
    ({ tracker, cookies, content: { settings } }) => {
      const words = storageWords(tracker)
      const unknown = [...words.filter(word => word !== knownStorage), ...(cookies ?? [])]
      const keepsId = settings.consent_mode === 'full' && words.includes(knownStorage)
      return {
        problem: unknown.length > 0 ? 'critical' : warning(keepsId),
        wrong:
          unknown.length > 0
            ? "Something is stored in the visitor's browser."
            : 'With data-mode="full", the tracker stores an id in the browsers of visitors who agree, until they withdraw it.',
        right:
          'The tracker uses no cookies; only users who log in get some. Without data-mode it stores nothing but an opt-out.',
        evidence:
          `in the tracker: ${names(words)}; consent_mode = ${settings.consent_mode}; set by the public routes: ` +
          `${cookies === null ? 'not checked, no service is running here' : names(cookies)}`,
      }
    },
  ],
  [
    'third_party',
    'The tracker contacts no other host',
    ({ tracker }) => {
      const addresses = foreignAddresses(tracker)
      return {
        problem: critical(addresses.length > 0),
        wrong: 'The tracker contains addresses of other hosts.',
        right: 'The tracker contacts only its own service.',
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
    'Traffic uses HTTPS',
    ({ siteUrl }) => ({
      problem: siteUrl === null ? 'warning' : critical(!siteUrl.startsWith('https:')),
      wrong:
        siteUrl === null
          ? 'The address of the site is not known: set it with --site-url.'
          : 'The site is served over HTTP: the pages that visitors read can be seen on the network.',
      right: 'The site is served over HTTPS.',
      evidence: siteUrl === null ? 'no --site-url' : `--site-url begins with ${siteUrl.split(':', 1).join('')}`,
    }),
  ],
  [
    'file_permissions',
    'Only the service may read the file',
    ({ measured: { open } }) => ({
      problem: critical(open.length > 0),
      wrong: 'Other users of the machine may read it: run chmod 600.',
      right: 'No other user can read it.',
      evidence: `readable by others: ${names(open)}`,
    }),
  ],
  [
    'secrets',
    'Secrets are stored as hashes',
    ({ measured: { secrets }, content: { settings } }) => {
      const plain = secrets.passwords + secrets.appPasswords
      const hasKey = settings.geoip_license_key !== ''
      return {
        problem: plain > 0 ? 'critical' : warning(hasKey),
        wrong:
          plain > 0
            ? 'Some passwords are not stored as hashes.'
            : 'The license key must be readable by the service: let only its owner read the file.',
        right: 'Passwords are stored as scrypt and HMAC hashes only.',
        evidence:
          `${secrets.passwords} passwords and ${secrets.appPasswords} application passwords not hashed; license ` +
          `key ${hasKey ? 'present' : 'absent'}`,
      }
    },
  ],
  [
    'log',
    'The log contains nothing about visitors',
    ({ log }) => ({
      problem: log === null ? 'warning' : critical(log.addresses + log.userAgents > 0),
      wrong:
        log === null
          ? "The service's log cannot be read from here; GET /privacy-audit checks it."
          : 'Lines of the log contain addresses or user agents. Please report this.',
      right: 'The last lines contain no address and no user agent.',
      evidence:
        log === null
          ? 'not checked'
          : `of the last ${log.lines} lines, ${log.addresses} with an address and ${log.userAgents} with a user agent`,
    }),
  ],
  [
    'admin_surface',
    'Login is protected',
    ({ content: { firstPassword }, failedLogins }) => ({
      problem: firstPassword !== null ? 'critical' : warning((failedLogins ?? 0) > maxFailedLogins),
      wrong:
        firstPassword !== null
          ? `The user '${firstPassword}' still has the password that the first start printed: ` +
            `run 'footfall user password ${firstPassword}'.`
          : 'Someone is trying passwords.',
      right: 'The printed password has been changed.',
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
