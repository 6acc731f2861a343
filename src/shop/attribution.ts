import { classify, type Channel, type Utm } from '../channel/channel.ts'
import { pageUtm, parsePage } from '../collection/ingest/page.ts'

export const metaPrefix = '_wc_order_attribution_'

/** What brought an order: `landing` is a page key. */
export type Attribution = { channel: Channel; utm: Utm; landing: string | null }

type Options = { siteHosts: readonly string[]; keepQuery: readonly string[] }

export const noUtm: Utm = { source: null, medium: null, campaign: null, term: null, content: null }
export const direct: Attribution = { channel: 'Direct', utm: noUtm, landing: null }

/** Keys of which one at least tells something of the way to the shop. */
const telling = ['source_type', 'utm_source', 'utm_medium', 'utm_campaign', 'referrer', 'session_entry']
/** Typed in, or made by the shop's own people and programs. */
const directTypes = new Set(['typein', 'admin', 'mobile_app', 'pos'])
/** Types for which the shop fills UTM values in that nobody sent. */
const pseudoTypes = new Set(['organic', 'referral'])

const hostPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/i

/** With these types the referrer decides alone, or the host or engine that the shop names in its stead. */
const unpaid = (meta: ReadonlyMap<string, string>, siteHosts: readonly string[]): Channel => {
  const named = meta.get('utm_source') ?? null
  const host = named !== null && hostPattern.test(named) ? `https://${named}/` : null
  const referrer = meta.get('referrer') ?? host
  return classify({ referrer, utm: { ...noUtm, source: referrer === null ? named : null }, clickId: null, siteHosts })
    .channel
}

/**
 * What the shop itself recorded of an order's way (api.md §5), through the one function of channels.
 * @param meta the order's attribution keys without their prefix
 * @returns null where it recorded nothing
 */
export const attributionOf = (
  meta: ReadonlyMap<string, string>,
  { siteHosts, keepQuery }: Options,
): Attribution | null => {
  if (!telling.some(key => meta.has(key))) return null
  const entry = meta.get('session_entry')
  const address = entry === undefined ? null : parsePage(entry, null, keepQuery)
  const landing = address?.page ?? null
  const type = meta.get('source_type') ?? 'utm'
  if (directTypes.has(type) || meta.get('utm_source')?.toLowerCase() === '(direct)')
    return { channel: 'Direct', utm: noUtm, landing }
  const hosts = [...siteHosts, ...(address?.host == null ? [] : [address.host])]
  if (pseudoTypes.has(type)) return { channel: unpaid(meta, hosts), utm: noUtm, landing }
  const utm = pageUtm(key => meta.get(key) ?? null)
  return {
    channel: classify({
      referrer: meta.get('referrer') ?? null,
      utm,
      clickId: address?.clickId ?? null,
      siteHosts: hosts,
    }).channel,
    utm,
    landing,
  }
}
