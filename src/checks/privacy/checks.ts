import type { Content } from '../diagnostics/file.ts'
import type { Measured } from './file.ts'

export type Status = 'pass' | 'warning' | 'fail'
export type AuditCheck = { id: string; status: Status; label: string; detail: string; evidence: string }

/** `cookies`: names of what the public routes set; `log`: what the last lines hold; null where that cannot be seen from here. */
export type AuditFacts = {
  now: number
  measured: Measured
  content: Content
  tracker: string
  siteUrl: string | null
  cookies: string[] | null
  log: { lines: number; addresses: number; userAgents: number } | null
  failedLogins: number | null
}

type Verdict = readonly [status: Status, detail: string, evidence: string]
type Check = readonly [id: string, label: string, judge: (facts: AuditFacts) => Verdict]

const day = 86_400
const longRetention = 760
const slack = 2 * day
const manyFailures = 20

const wrong = (holds: boolean, status: Status): Status => (holds ? status : 'pass')
const names = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '))

/** Addresses of other hosts that a script could load from. */
const foreignAddresses = (script: string): string[] =>
  [...script.matchAll(/["'`](?:https?:)?\/\/[\w.-]+/g)].map(([found]) => found.slice(1))
const storageWords = (script: string): string[] => [
  ...new Set([...script.matchAll(/document\.cookie|sessionStorage|indexedDB|caches\.open/g)].map(([found]) => found)),
]

/** One row a check. */
export const auditChecks: readonly Check[] = [
  [
    'consent_mode',
    'Nobody is known on a later day without having agreed',
    ({ content: { settings } }) => [
      wrong(settings.consent_mode === 'full', 'warning'),
      settings.consent_mode === 'full'
        ? 'Visitors who agree are known on later days: the site needs a banner that asks them.'
        : 'Visitors are told apart within one day only.',
      `consent_mode = ${settings.consent_mode}`,
    ],
  ],
  [
    'dnt',
    'Do Not Track is honoured',
    ({ content: { settings } }) => [
      wrong(!settings.respect_dnt, 'fail'),
      settings.respect_dnt
        ? 'Who sends DNT: 1 is not counted.'
        : "Who sends DNT: 1 is counted all the same. Change it with 'footfall settings set respect_dnt=true'.",
      `respect_dnt = ${settings.respect_dnt}`,
    ],
  ],
  [
    'gpc',
    'Global Privacy Control is honoured',
    ({ content: { settings } }) => [
      wrong(!settings.respect_gpc, 'fail'),
      settings.respect_gpc
        ? 'Who sends Sec-GPC: 1 is not counted.'
        : "Who sends Sec-GPC: 1 is counted all the same. Change it with 'footfall settings set respect_gpc=true'.",
      `respect_gpc = ${settings.respect_gpc}`,
    ],
  ],
  [
    'retention',
    'Single visits are kept for a limited time',
    ({
      content: {
        settings: { retention_mode: mode, retention_days: days },
      },
    }) => [
      mode === 'forever' ? 'fail' : wrong(days > longRetention, 'warning'),
      mode === 'forever'
        ? "Single visits are kept for ever. Change it with 'footfall settings set retention_mode=delete'."
        : `Single visits are kept for ${days} days.`,
      `retention_mode = ${mode}, retention_days = ${days}`,
    ],
  ],
  [
    'purge',
    'Single visits go when their time is over',
    ({
      now,
      content: {
        oldestSession,
        settings: { retention_mode: mode, retention_days: days },
      },
    }) => {
      const age = oldestSession === null ? 0 : Math.floor((now - oldestSession) / day)
      const late = mode !== 'forever' && oldestSession !== null && oldestSession < now - days * day - slack
      return [
        wrong(late, 'fail'),
        late
          ? "There are older visits than the retention allows. See 'footfall diagnostics' why the job does not run."
          : 'No visit is older than it may be.',
        `the oldest visit is ${age} days old`,
      ]
    },
  ],
  [
    'raw_addresses',
    'No address of a visitor is in the file',
    ({ measured: { traces } }) => [
      wrong(traces.addresses.length > 0, 'fail'),
      traces.addresses.length > 0
        ? "Texts look like addresses. 'footfall forget' takes pages, events and referrers out."
        : 'No text and no bytes look like an address.',
      `${traces.columns} columns were read; found in: ${names(traces.addresses)}`,
    ],
  ],
  [
    'user_agents',
    'No user agent is in the file',
    ({ measured: { traces } }) => [
      wrong(traces.userAgents.length > 0, 'fail'),
      traces.userAgents.length > 0
        ? "Texts look like user agents. 'footfall forget' takes pages and events out."
        : 'Of a user agent only browser, system and their main versions are kept.',
      `${traces.columns} columns were read; found in: ${names(traces.userAgents)}`,
    ],
  ],
  [
    'salt_age',
    'Salts are destroyed when their day is over',
    ({ measured: { salts } }) => [
      wrong(salts.overdue + salts.unlimited > 0, 'fail'),
      salts.overdue + salts.unlimited > 0
        ? "Salts have outlived their day: days could be linked. Start the service or run 'footfall cron salt'; it destroys them."
        : 'Days cannot be linked with each other.',
      `salts: ${salts.salts}, overdue: ${salts.overdue}, without an end: ${salts.unlimited}`,
    ],
  ],
  [
    'salts_in_copies',
    'No copy of the file holds a salt',
    ({ measured: { copies } }) => [
      wrong(copies.withSalt.length > 0, 'fail'),
      copies.withSalt.length > 0
        ? "Copies made by other means than 'footfall backup' hold the day's salt: delete them."
        : 'Backups and copies beside the database hold none.',
      `${copies.looked} copies looked at; with a salt: ${names(copies.withSalt)}`,
    ],
  ],
  [
    'visitor_cookies',
    'Visitors get no cookie and nothing is stored with them',
    ({ tracker, cookies }) => {
      const words = storageWords(tracker)
      const found = [...words, ...(cookies ?? [])]
      return [
        wrong(found.length > 0, 'fail'),
        found.length > 0
          ? 'Something is stored with visitors.'
          : 'The tracker uses neither cookies nor a session store.',
        `in the tracker: ${names(words)}; set by the public routes: ${cookies === null ? 'not asked, no service answers from here' : names(cookies)}`,
      ]
    },
  ],
  [
    'third_party',
    'The tracker asks no other host',
    ({ tracker }) => {
      const found = foreignAddresses(tracker)
      return [
        wrong(found.length > 0, 'fail'),
        found.length > 0 ? 'The tracker names other hosts.' : 'The tracker speaks with its own service only.',
        `addresses in ${tracker.length} characters of the script: ${names(found)}`,
      ]
    },
  ],
  [
    'https',
    'Visits travel encrypted',
    ({ siteUrl }) =>
      siteUrl === null
        ? ['warning', 'The address of the site is not known: name it with --site-url.', 'no --site-url']
        : [
            wrong(!siteUrl.startsWith('https:'), 'fail'),
            siteUrl.startsWith('https:')
              ? 'The site is served by https.'
              : 'The site is served by http: addresses of pages can be read on the way.',
            `--site-url begins with ${siteUrl.split(':', 1).join('')}`,
          ],
  ],
  [
    'file_permissions',
    'Only the service may read the file',
    ({ measured: { open } }) => [
      wrong(open.length > 0, 'fail'),
      open.length > 0 ? 'Other users of the machine may read it: chmod 600.' : 'Its mode lets nobody else read it.',
      `open to others: ${names(open)}`,
    ],
  ],
  [
    'secrets',
    'Secrets are kept as hashes',
    ({ measured: { secrets }, content: { settings } }) => {
      const plain = secrets.passwords + secrets.appPasswords
      const key = settings.geoip_license_key !== ''
      return [
        plain > 0 ? 'fail' : wrong(key, 'warning'),
        plain > 0
          ? 'Passwords stand in the file in another form than their hash.'
          : key
            ? 'The license key has to be readable for the service: keep the file to its owner.'
            : 'Passwords are kept as scrypt and HMAC hashes only.',
        `${secrets.passwords} passwords and ${secrets.appPasswords} application passwords not hashed; license key ${key ? 'present' : 'absent'}`,
      ]
    },
  ],
  [
    'log',
    'The log holds nothing about visitors',
    ({ log }) =>
      log === null
        ? [
            'warning',
            'The log of the service cannot be seen from here: GET /privacy-audit looks at it.',
            'not looked at',
          ]
        : [
            wrong(log.addresses + log.userAgents > 0, 'fail'),
            log.addresses + log.userAgents > 0
              ? 'Lines of the log hold addresses or user agents. Please report this.'
              : 'The last lines hold no address and no user agent.',
            `of the last ${log.lines} lines, ${log.addresses} with an address and ${log.userAgents} with a user agent`,
          ],
  ],
  [
    'admin_surface',
    'The way in is guarded',
    ({ content: { firstPassword }, failedLogins }) => {
      const many = failedLogins !== null && failedLogins > manyFailures
      return [
        firstPassword !== null ? 'fail' : wrong(many, 'warning'),
        firstPassword !== null
          ? `The user '${firstPassword}' still has the password that the first start printed: 'footfall user password ${firstPassword}'.`
          : many
            ? 'Someone tries passwords.'
            : 'No printed password is in use.',
        `printed password ${firstPassword === null ? 'changed' : 'in use'}; failed logins of the last 24 hours: ${failedLogins ?? 'not seen from here'}`,
      ]
    },
  ],
]

const worth: Readonly<Record<Status, number>> = { pass: 1, warning: 0.5, fail: 0 }

/** The score is the share of what is right, in percent; a warning is half right. */
export const judge = (facts: AuditFacts): { score: number; checks: AuditCheck[] } => {
  const checks = auditChecks.map(([id, label, check]) => {
    const [status, detail, evidence] = check(facts)
    return { id, status, label, detail, evidence }
  })
  return {
    score: Math.round((100 * checks.reduce((sum, { status }) => sum + worth[status], 0)) / checks.length),
    checks,
  }
}
