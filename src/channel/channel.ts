import type { Channel } from './channels.ts'
import { type Corrections, correctedAt, correctedSource, noCorrections } from './corrections.ts'
import type { List, Service } from './lists.ts'
import { addressHost, bareHost, isAddress, type Place, placeOf } from './referrer.ts'
import { adSystemNamed, isSpamPlace, serviceAt, serviceNamed } from './services.ts'

/**
 * The service that adds a click id, and what it identifies: a search ad, an ad on a social network, a link in a
 * newsletter, or a shared link.
 */
type Click = { from: string; kind: 'search ad' | 'social ad' | 'mail' | 'shared link' }

const clicks: ReadonlyMap<string, Click> = new Map([
  ['gclid', { from: 'Google', kind: 'search ad' }],
  ['gbraid', { from: 'Google', kind: 'search ad' }],
  ['wbraid', { from: 'Google', kind: 'search ad' }],
  ['gad_source', { from: 'Google', kind: 'search ad' }],
  ['dclid', { from: 'Google', kind: 'search ad' }],
  ['msclkid', { from: 'Bing', kind: 'search ad' }],
  ['yclid', { from: 'Yandex', kind: 'search ad' }],
  ['ob_click_id', { from: 'Outbrain', kind: 'search ad' }],
  ['ttclid', { from: 'TikTok', kind: 'social ad' }],
  ['twclid', { from: 'X', kind: 'social ad' }],
  ['li_fat_id', { from: 'LinkedIn', kind: 'social ad' }],
  ['rdt_cid', { from: 'Reddit', kind: 'social ad' }],
  ['sccid', { from: 'Snapchat', kind: 'social ad' }],
  ['epik', { from: 'Pinterest', kind: 'social ad' }],
  ['mc_cid', { from: 'Mailchimp', kind: 'mail' }],
  ['mc_eid', { from: 'Mailchimp', kind: 'mail' }],
  ['_hsenc', { from: 'HubSpot', kind: 'mail' }],
  ['_kx', { from: 'Klaviyo', kind: 'mail' }],
  ['fbclid', { from: 'Facebook', kind: 'shared link' }],
  ['igshid', { from: 'Instagram', kind: 'shared link' }],
  ['igsh', { from: 'Instagram', kind: 'shared link' }],
])

/** The query keys of click ids, in lower case, in order of precedence: ads come first. */
export const clickIds: readonly string[] = [...clicks.keys()]

/** Looks up a click id, ignoring case; null for none or an unknown one. */
const clickOf = (clickId: string | null): Click | null => clicks.get(clickId?.toLowerCase() ?? '') ?? null

export { type Channel, channels } from './channels.ts'
export { referrerHost } from './referrer.ts'

export type Utm = {
  source: string | null
  medium: string | null
  campaign: string | null
  term: string | null
  content: string | null
}

/**
 * How a visit arrived: the raw referrer, the campaign tags as sent, the kind of click id, the site's hosts, and what the
 * operator says of hosts and sources.
 */
export type Arrival = {
  referrer: string | null
  utm: Utm
  clickId: string | null
  siteHosts: readonly string[]
  corrections?: Corrections
}

/**
 * The stored origin of a visit. `domain` is the referrer's host or package, null without one or if it is an IP address.
 */
export type Origin = { channel: Channel; domain: string | null; source: string }

/** The channel of a service that a visit came from; only a paid visit comes from an ad network. */
const channelOfList: Record<List, Channel> = {
  ads: 'Paid Search',
  ai: 'AI Assistants',
  mail: 'Email',
  mailer: 'Email',
  search: 'Organic Search',
  social: 'Social Media',
  referral: 'Referral',
}

/** Paid as a part of a medium (`cpc_brand`, `social_ads`), in addition to those that begin with `paid`. */
const paidParts = new Set(['cpc', 'ppc', 'cpm', 'cpv', 'cpa', 'ad', 'ads'])
/** Paid as a whole medium, or with each other: `shopping` alone may also be part of an unpaid one. */
const paidMediums = new Set([
  ...['display', 'banner', 'retargeting', 'remarketing', 'sea', 'sem', 'sponsored', 'pmax', 'shopping'],
])
const displayParts = new Set(['cpm', 'display', 'banner'])
const mailParts = new Set(['email', 'mail', 'mailing', 'newsletter'])
/** Mail on paper. */
const postalParts = new Set(['direct', 'postal', 'snail'])
/** As parts of a medium: `social_media`, `organic_social`. */
const socialParts = new Set(['social', 'socialmedia'])
const referralMediums = new Set(['referral', 'affiliate', 'partner'])
const mailSources = new Set(['email', 'e-mail'])
/** Values that other tools send for 'none', and scripts for a variable without a value. */
const placeholders = new Set(['(direct)', '(none)', '(not set)', '(not provided)', 'null', 'undefined'])

/** An arrival after rule 1, with its services looked up. */
type ParsedArrival = {
  place: Place | null
  placed: Service | null
  source: string | null
  named: Service | null
  /** The channel that the operator says the source has. */
  corrected: Channel | null
  /** Whether utm_source names a system of ads, as in `google_ads`. */
  fromAds: boolean
  medium: string
  mediumParts: readonly string[]
  campaign: string | null
  click: Click | null
}

const tagOf = (value: string | null): string | null => {
  const text = value?.trim() ?? ''
  return text === '' || placeholders.has(text.toLowerCase()) ? null : text
}

/** The parts of a medium or source, in lower case: `Newsletter-UK` has `newsletter` and `uk`. */
const partsOf = (text: string | null): string[] => text?.toLowerCase().split(/[\s_.+-]+/) ?? []

/** Normalizes a medium or generic source: `Social_Media` and `social media` become `social-media`. */
const normalize = (text: string | null): string => text?.toLowerCase().replace(/[\s_-]+/g, '-') ?? ''

const isSiteHost = (place: Place, siteHosts: readonly string[]): boolean =>
  siteHosts.some(host => bareHost(host) === place.host)

/** What a source stands for, by the operator or the lists. */
const parseSource = (source: string | null, corrections: Corrections) => {
  const correction = source === null ? null : correctedSource(corrections, source)
  // A source that is Direct stands for nothing.
  if (source === null || correction?.channel === 'Direct')
    return { source: null, named: null, corrected: null, fromAds: false }
  const adSystem = correction === null ? adSystemNamed(source) : null
  const named = correction ?? adSystem ?? serviceNamed(source)
  return { source, named, corrected: correction?.channel ?? null, fromAds: adSystem !== null }
}

const parseArrival = ({ referrer, utm, clickId, siteHosts, corrections = noCorrections }: Arrival): ParsedArrival => {
  const sent = placeOf(referrer)
  const correction = sent && correctedAt(corrections, sent)
  const place = sent === null || isSiteHost(sent, siteHosts) || correction?.channel === 'Direct' ? null : sent
  const medium = tagOf(utm.medium)
  return {
    place,
    placed: place && (correction ?? serviceAt(place)),
    ...parseSource(tagOf(utm.source), corrections),
    medium: normalize(medium),
    mediumParts: partsOf(medium),
    campaign: tagOf(utm.campaign),
    click: clickOf(clickId),
  }
}

const isPaidMedium = (parts: readonly string[]): boolean =>
  parts.some(part => paidParts.has(part) || part.startsWith('paid')) ||
  (parts.length > 0 && parts.every(part => paidMediums.has(part)))

const isPaid = ({ placed, named, fromAds, mediumParts, click }: ParsedArrival): boolean =>
  isPaidMedium(mediumParts) ||
  fromAds ||
  named?.list === 'ads' ||
  placed?.list === 'ads' ||
  click?.kind === 'search ad' ||
  click?.kind === 'social ad'

const isPaidSocial = ({ source, named, placed, medium, mediumParts, click }: ParsedArrival): boolean => {
  const seller = source === null ? placed : named
  const social = seller?.list === 'social' || medium.includes('social') || medium === 'sm'
  const socialClick = click?.kind === 'social ad' || click?.kind === 'shared link'
  const isDisplay = mediumParts.some(part => displayParts.has(part))
  return social || socialClick || (isDisplay && seller?.list !== 'search')
}

const isMailMedium = (parts: readonly string[]): boolean =>
  parts.some(part => mailParts.has(part)) && !parts.some(part => postalParts.has(part))

const isEmail = ({ source, named, mediumParts, click }: ParsedArrival): boolean =>
  isMailMedium(mediumParts) ||
  mailSources.has(normalize(source)) ||
  partsOf(source).includes('newsletter') ||
  named?.list === 'mailer' ||
  click?.kind === 'mail'

const isSocialMedium = ({ medium, mediumParts }: ParsedArrival): boolean =>
  medium === 'sm' || mediumParts.some(part => socialParts.has(part))

/** Whether a referrer is spam. The site itself never is, whatever its host was used for before, nor what the operator names. */
export const isSpam = (
  referrer: string,
  siteHosts: readonly string[],
  corrections: Corrections = noCorrections,
): boolean => {
  const place = placeOf(referrer)
  return (
    place !== null && isSpamPlace(place) && !isSiteHost(place, siteHosts) && correctedAt(corrections, place) === null
  )
}

/** The rules of the contract from rule 2 on; the first match decides. */
const channelOf = (visit: ParsedArrival): Channel => {
  const { place, placed, source, named, corrected, medium, campaign, click } = visit
  if (isPaid(visit)) return isPaidSocial(visit) ? 'Paid Social' : 'Paid Search'
  if (corrected !== null) return corrected
  if (isEmail(visit)) return 'Email'
  if (isSocialMedium(visit)) return 'Social Media'
  if (referralMediums.has(medium)) return 'Referral'
  if (named !== null && named.list !== 'referral') return channelOfList[named.list]
  if (medium === 'organic') return 'Organic Search'
  if (placed !== null) return placed.channel ?? channelOfList[placed.list]
  if (place !== null || source !== null || campaign !== null) return 'Referral'
  return click === null ? 'Direct' : 'Social Media'
}

/** utm_source takes precedence over the referrer; known services are shown under their readable names. */
const sourceOf = ({ place, placed, source, named, click }: ParsedArrival, channel: Channel): string => {
  const referrer = place && (isAddress(place.host) ? addressHost : place.host)
  const unnamed = channel === 'Direct' ? 'Direct' : '(not set)'
  return named?.name ?? source ?? placed?.name ?? referrer ?? click?.from ?? unnamed
}

/**
 * Determines the channel of an arrival, and the names it is reported under. Never throws.
 * `source` may contain a tag as sent, so tags must be redacted before. The rules are in api.md §3, Channel.
 */
export const classify = (arrival: Arrival): Origin => {
  const visit = parseArrival(arrival)
  const channel = channelOf(visit)
  const host = visit.place?.host ?? null
  return { channel, domain: host !== null && isAddress(host) ? null : host, source: sourceOf(visit, channel) }
}
