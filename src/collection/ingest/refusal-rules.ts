// The operator's own rules of what is not counted.
import { placeOf } from '../../channel/referrer.ts'
import type { GeoReader } from '../../geoip/reader.ts'
import { fits, gap } from '../../lib/fits.ts'
import type { HeldRules, RefusalRule, RuleField } from '../../settings/refusal-rules.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Incoming } from '../record.ts'
import { hostOfRequest } from './page.ts'

export type RuleFinderOptions = {
  settings: () => Settings
  allowedHosts: readonly string[]
  geo: GeoReader | null
  rules?: Readonly<HeldRules>
}

/** What rules look at in the fields of a request; only hits have a referrer. */
type Fields = { page: string | null; host: string | null; query: string; referrer?: string | null }

/** A referrer is looked at by its host alone, unless the pattern has a path. */
type Look = RuleField | 'referrer_address'

const looks: Readonly<Record<Look, (incoming: Incoming, fields: Fields, options: RuleFinderOptions) => string>> = {
  path: (_, { page }) => page ?? '',
  host: ({ headers }, { host }, { allowedHosts }) => hostOfRequest(headers, host, allowedHosts).toLowerCase(),
  country: ({ address }, _, { geo, settings }) =>
    address === null || !settings().geoip_enabled ? '' : (geo?.lookup(address).country ?? ''),
  agent: ({ userAgent }) => userAgent.toLowerCase(),
  query: (_, { query }) => query.toLowerCase(),
  referrer: (_, { referrer = null }) => placeOf(referrer)?.host ?? '',
  referrer_address: (_, { referrer }) => (referrer ?? '').replace(/^[a-z-]+:\/\/(?:www\.)?/i, '').toLowerCase(),
}

const compile = ({ name, field, pattern }: RefusalRule) => {
  const parts = pattern.split('*')
  return {
    name,
    look: field === 'referrer' && pattern.includes('/') ? ('referrer_address' as const) : field,
    // A user agent is long, and the same nowhere.
    pattern: (field === 'agent' ? ['', ...parts, ''] : parts).join(gap),
  }
}

/** Finds the name of the first rule that a request fits; null for none. */
export const createRuleFinder = (
  options: RuleFinderOptions,
): ((incoming: Incoming, fields: Fields) => string | null) => {
  let known: readonly RefusalRule[] = []
  let compiled: ReturnType<typeof compile>[] = []
  return (incoming, fields) => {
    const { list = known } = options.rules ?? {}
    if (list !== known) compiled = list.map(compile)
    known = list
    const values: Partial<Record<Look, string>> = {}
    const found = compiled.find(({ look, pattern }) =>
      fits((values[look] ??= looks[look](incoming, fields, options)), pattern),
    )
    return found?.name ?? null
  }
}
