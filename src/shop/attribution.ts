import { classify, type Origin, type Utm } from '../channel/channel.ts'
import { type Corrections, noCorrections } from '../channel/corrections.ts'
import { type PageAddress, pageUtm, parsePage, storedHost } from '../collection/ingest/page.ts'

export const metaPrefix = '_wc_order_attribution_'

/** A page key with its host, '' if that is not known. */
export type Landing = { page: string; host: string }

/** An order's source as recorded by the shop. */
export type RecordedAttribution = { origin: Origin; utm: Utm; landing: Landing | null }

type Options = { siteHosts: readonly string[]; keepQuery: readonly string[]; corrections?: Corrections | undefined }

export const noUtm: Utm = { source: null, medium: null, campaign: null, term: null, content: null }
/** The origin of orders that came from nowhere. */
export const direct: Origin = { channel: 'Direct', source: 'Direct', domain: null }

/** If none of these keys is present, the shop recorded no source. */
const sourceKeys = ['source_type', 'utm_source', 'utm_medium', 'utm_campaign', 'referrer', 'session_entry']
/** Typed-in addresses, and orders created by the shop's staff or apps. */
const directTypes = new Set(['typein', 'admin', 'mobile_app', 'pos'])
/** Types for which WooCommerce makes up UTM values. */
const pseudoTypes = new Set(['organic', 'referral'])

const hostPattern = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/i

/** The origin of these types: by the referrer, or by the host or search engine that the shop names instead. */
const unpaidOrigin = (
  meta: ReadonlyMap<string, string>,
  known: { siteHosts: readonly string[]; corrections: Corrections },
): Origin => {
  const source = meta.get('utm_source') ?? null
  const host = source !== null && hostPattern.test(source) ? `https://${source}/` : null
  const referrer = meta.get('referrer') ?? host
  return classify({ referrer, utm: { ...noUtm, source: referrer === null ? source : null }, clickId: null, ...known })
}

/** Only configured hosts: one order of a copy of the shop must not make a site one of several hosts. */
const landingHost = (host: string | null, siteHosts: readonly string[]): string => {
  const own = siteHosts.map(storedHost)
  const stored = storedHost(host ?? '')
  return own.includes(stored) ? stored : (own[0] ?? '')
}

/**
 * WooCommerce writes google / cpc, and often google_cpc as campaign, where an address had a click id and no tag. The
 * visit has no campaign then, and neither has the order.
 */
const isMadeUp = ({ source, medium, campaign }: Utm, address: PageAddress | null): boolean =>
  medium === 'cpc' &&
  (campaign === null
    ? address !== null && address.clickId !== null && Object.values(address.utm).every(value => value === null)
    : campaign === `${source}_cpc`)

/**
 * The source of an order as recorded by the shop (api.md §5), classified like that of a visit.
 * @param meta the order's attribution entries, by key without the prefix
 * @returns null if the shop recorded nothing
 */
export const recordedAttribution = (
  meta: ReadonlyMap<string, string>,
  { siteHosts, keepQuery, corrections = noCorrections }: Options,
): RecordedAttribution | null => {
  if (!sourceKeys.some(key => meta.has(key))) return null
  const entry = meta.get('session_entry')
  const address = entry === undefined ? null : parsePage(entry, null, keepQuery)
  const landing = address === null ? null : { page: address.page, host: landingHost(address.host, siteHosts) }
  const type = meta.get('source_type') ?? 'utm'
  if (directTypes.has(type) || meta.get('utm_source')?.toLowerCase() === '(direct)')
    return { origin: direct, utm: noUtm, landing }
  const hosts = [...siteHosts, ...(address?.host == null ? [] : [address.host])]
  const known = { siteHosts: hosts, corrections }
  if (pseudoTypes.has(type)) return { origin: unpaidOrigin(meta, known), utm: noUtm, landing }
  const utm = pageUtm(key => meta.get(key) ?? null)
  const referrer = meta.get('referrer') ?? null
  const origin = classify({ referrer, utm, clickId: address?.clickId ?? null, ...known })
  return { origin, utm: isMadeUp(utm, address) ? noUtm : utm, landing }
}
