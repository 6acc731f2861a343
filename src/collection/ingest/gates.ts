import { isSpam } from '../../channel/channel.ts'
import { type Corrections, noCorrections } from '../../channel/corrections.ts'
import { type AddressList, parseAddressList } from '../../lib/address/list.ts'
import { memoize } from '../../lib/lru-cache.ts'
import { plainHost } from '../../lib/plain-host.ts'
import type { Settings } from '../../settings/settings.ts'
import { isBot } from '../enrich/agent.ts'
import type { Incoming, Refusal } from '../record.ts'
import { originHost, storedHost } from './page.ts'

/** The rules that requests are checked against. */
export type Rules = {
  settings: Settings
  /** Parsed from settings.excluded_ips. */
  excludedAddresses: AddressList
  /** Lower case, without `www.`; empty: any host. */
  allowedHosts: ReadonlySet<string>
  /** What the operator says of hosts: none of them is spam. */
  corrections: Corrections
  /** The role of a logged-in caller, by cookie alone; null for a visitor. */
  roleOf: (cookie: string | undefined) => string | null
}

export type RuleOptions = {
  settings: () => Settings
  allowedHosts: readonly string[]
  corrections?: Corrections
  roleOf: Rules['roleOf']
}

/** Returns the rules of the current settings, parsed once per change. */
export const createRules = (options: RuleOptions): (() => Rules) => {
  const { settings, allowedHosts, roleOf, corrections = noCorrections } = options
  const hosts = new Set(allowedHosts.map(plainHost))
  let rules: Rules | null = null
  return () => {
    const current = settings()
    if (rules?.settings !== current)
      rules = {
        settings: current,
        excludedAddresses: parseAddressList(current.excluded_ips).list,
        allowedHosts: hosts,
        corrections,
        roleOf,
      }
    return rules
  }
}

const isForeign = (host: string | null, { allowedHosts }: Rules): boolean =>
  host !== null && allowedHosts.size > 0 && !allowedHosts.has(plainHost(host))

/** The host that a request was refused for: that of its page, else that of its origin; never an IP address. */
export const foreignHost = (incoming: Incoming, host: string | null, rules: Rules): string => {
  const named = (isForeign(host, rules) ? host : originHost(incoming.headers.get('origin'))) ?? ''
  return storedHost(named)
}

const isExcludedRole = (incoming: Incoming, { settings, roleOf }: Rules): boolean => {
  const role = roleOf(incoming.headers.get('cookie'))
  const excluded = settings.excluded_roles
  return (role !== null && excluded.includes(role)) || (incoming.roles?.some(name => excluded.includes(name)) ?? false)
}

/** Whether a referrer is spam unless the site or the operator says otherwise; cached, since few referrers are. */
const mayBeSpam = memoize(5000, referrer => isSpam(referrer, []))

/** Only hits have a referrer. */
const isSpamHit = (fields: GateFields, { allowedHosts, corrections }: Rules): boolean => {
  const { referrer, host } = fields
  if (referrer === undefined || referrer === null || !mayBeSpam(referrer)) return false
  return isSpam(referrer, host === null ? [...allowedHosts] : [...allowedHosts, plainHost(host)], corrections)
}

/** What the gates look at in the fields of a request. */
export type GateFields = { host: string | null; consent: boolean | null; referrer?: string | null }

/**
 * Checks a request whose fields are valid, in the order of the contract (api.md §3).
 * @returns why the request is not recorded, or null if it passes
 */
export const refuse = (incoming: Incoming, fields: GateFields, rules: Rules): Refusal | null => {
  const { settings } = rules
  if (!settings.tracking_enabled) return 'off'
  if (isForeign(fields.host, rules) || isForeign(originHost(incoming.headers.get('origin')), rules))
    return 'foreign_host'
  if (isBot(incoming.userAgent, incoming.headers.get('sec-ch-ua'))) return 'bot'
  if (isSpamHit(fields, rules)) return 'spam'
  if (incoming.address !== null && rules.excludedAddresses.has(incoming.address)) return 'excluded_ip'
  if (isExcludedRole(incoming, rules)) return 'excluded_role'
  if (settings.respect_gpc && incoming.headers.get('sec-gpc') === '1') return 'gpc'
  if (settings.respect_dnt && incoming.headers.get('dnt') === '1') return 'dnt'
  if (settings.consent_mode === 'disabled-until-consent' && fields.consent !== true) return 'no_consent'
  return null
}
