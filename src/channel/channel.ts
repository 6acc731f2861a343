import { clickOf, type Click } from './clicks.ts'
import { addressHost, bareHost, isAddress, placeOf, type Place } from './referrer.ts'
import { isSpam, serviceAt, serviceNamed, type List, type Service } from './services.ts'

export { clickIds } from './clicks.ts'
export { referrerHost } from './referrer.ts'

/** The eight channels, in the order of every report. */
export const channels = [
  'Direct',
  'AI Assistants',
  'Organic Search',
  'Social Media',
  'Email',
  'Referral',
  'Paid Search',
  'Paid Social',
] as const
export type Channel = (typeof channels)[number]

export type Utm = {
  source: string | null
  medium: string | null
  campaign: string | null
  term: string | null
  content: string | null
}

/** How a visit arrived: the raw referrer, the campaign tags as sent, the kind of click id, and the site's hosts. */
export type Arrival = { referrer: string | null; utm: Utm; clickId: string | null; siteHosts: readonly string[] }

/**
 * The stored origin of a visit. `domain` is the referrer's host or package, null without one or if it is an IP address.
 */
export type Origin = { channel: Channel; domain: string | null; source: string }

const channelOfList: Record<List, Channel> = {
  ai: 'AI Assistants',
  mail: 'Email',
  mailer: 'Email',
  search: 'Organic Search',
  social: 'Social Media',
  referral: 'Referral',
}

const paidMediums = new Set(['cpc', 'ppc', 'cpm', 'cpv', 'cpa', 'display', 'banner', 'retargeting'])
const displayMediums = new Set(['cpm', 'display', 'banner'])
const emailMediums = new Set(['email', 'e-mail', 'mail', 'newsletter'])
const socialMediums = new Set(['social', 'social-network', 'social-media', 'sm'])
const referralMediums = new Set(['referral', 'affiliate', 'partner'])
const emailSources = new Set(['email', 'e-mail', 'newsletter'])
/** Values that other tools send for 'none'. */
const placeholders = new Set(['(direct)', '(none)', '(not set)', '(not provided)'])

/** An arrival after rule 1, with its services looked up. */
type ParsedArrival = {
  place: Place | null
  placed: Service | null
  source: string | null
  named: Service | null
  medium: string
  campaign: string | null
  click: Click | null
}

const tagOf = (value: string | null): string | null => {
  const text = value?.trim() ?? ''
  return text === '' || placeholders.has(text.toLowerCase()) ? null : text
}

/** Normalizes a medium or generic source: `Social_Media` and `social media` become `social-media`. */
const normalize = (text: string | null): string => text?.toLowerCase().replace(/[\s_-]+/g, '-') ?? ''

const isSiteHost = (place: Place, siteHosts: readonly string[]): boolean =>
  siteHosts.some(host => bareHost(host) === place.host)

const parseArrival = ({ referrer, utm, clickId, siteHosts }: Arrival): ParsedArrival => {
  const sent = placeOf(referrer)
  const place = sent === null || isSiteHost(sent, siteHosts) || isSpam(sent) ? null : sent
  const source = tagOf(utm.source)
  return {
    place,
    placed: place && serviceAt(place),
    source,
    named: source === null ? null : serviceNamed(source),
    medium: normalize(tagOf(utm.medium)),
    campaign: tagOf(utm.campaign),
    click: clickOf(clickId),
  }
}

const isPaid = ({ medium, click }: ParsedArrival): boolean =>
  paidMediums.has(medium) || medium.startsWith('paid') || (click !== null && click.kind !== 'shared link')

const isPaidSocial = ({ source, named, placed, medium, click }: ParsedArrival): boolean => {
  const seller = source === null ? placed : named
  const social = seller?.list === 'social' || medium.includes('social') || medium === 'sm'
  const socialClick = click !== null && click.kind !== 'search ad'
  return social || socialClick || (displayMediums.has(medium) && seller?.list !== 'search')
}

const isEmail = ({ source, named, medium }: ParsedArrival): boolean =>
  emailMediums.has(medium) || emailSources.has(normalize(source)) || named?.list === 'mailer'

/** The rules of the contract from rule 2 on; the first match decides. */
const channelOf = (visit: ParsedArrival): Channel => {
  const { place, placed, source, named, medium, campaign, click } = visit
  if (isPaid(visit)) return isPaidSocial(visit) ? 'Paid Social' : 'Paid Search'
  if (isEmail(visit)) return 'Email'
  if (socialMediums.has(medium)) return 'Social Media'
  if (medium === 'organic') return 'Organic Search'
  if (referralMediums.has(medium)) return 'Referral'
  if (named !== null && named.list !== 'referral') return channelOfList[named.list]
  if (placed !== null) return channelOfList[placed.list]
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
