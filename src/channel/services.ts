// The services that visitors come from, with their lists and names, from data/.
import adSystemNames from '../../data/ad-systems.txt'
import ads from '../../data/channels/ads.txt'
import ai from '../../data/channels/ai.txt'
import mailServices from '../../data/channels/mail-services.txt'
import mail from '../../data/channels/mail.txt'
import referral from '../../data/channels/referral.txt'
import search from '../../data/channels/search.txt'
import social from '../../data/channels/social.txt'
import spamMore from '../../data/referrer-spam-more.txt'
import spam from '../../data/referrer-spam.txt'
import shortNames from '../../data/source-names.txt'
import { placeOf, type Place } from './referrer.ts'

export type List = 'ads' | 'ai' | 'mail' | 'search' | 'social' | 'referral' | 'mailer'

/** A service with its readable name. `mailer` services send newsletters and are only recognised by utm_source. */
export type Service = { name: string; list: List }

/** Parses the lines of a data file into pairs of key and name; `#` starts a comment. */
export const entries = (text: string): [key: string, name: string][] =>
  text.split('\n').flatMap(line => {
    const [, key, name = ''] = /^(\S+)(?:\s+(.*\S))?/.exec(line.replace(/#.*/, '')) ?? []
    return key === undefined ? [] : [[key, name]]
  })

const services = (list: List, text: string): [string, Service][] =>
  entries(text).map(([key, name]) => [key, { name, list }])

/**
 * The services that a referrer is looked up in. A key is in one list only (a test checks that), so the most specific
 * entry decides: mail.google.com and gemini.google.com before google.*, docs.google.com and blog.naver.com as
 * exceptions.
 */
const referrerServices = [
  ...services('ads', ads),
  ...services('ai', ai),
  ...services('mail', mail),
  ...services('search', search),
  ...services('social', social),
  ...services('referral', referral),
]
const mailers = services('mailer', mailServices)

/** Spam hosts are here as well, so that the nearest entry decides. One that is on another list, too, is no spam. */
const byKey: ReadonlyMap<string, Service | 'spam'> = new Map<string, Service | 'spam'>([
  ...[...entries(spam), ...entries(spamMore)].map(([host]): [string, 'spam'] => [host, 'spam']),
  ...referrerServices,
])
const byMailerHost: ReadonlyMap<string, Service> = new Map(mailers)

/** The letters and digits of a name, for comparisons: hacker-news and Hacker News are the same. */
export const shortForm = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** By short form; a mailer takes precedence if a name is both, such as Substack, since rule 3 comes before rule 7. */
const byShortForm = new Map([...referrerServices, ...mailers].map(([, service]) => [shortForm(service.name), service]))
const addNames = (map: Map<string, Service>, names: string): void => {
  for (const [short, name] of entries(names)) {
    const service = byShortForm.get(shortForm(name))
    if (service !== undefined) map.set(short, service)
  }
}
const adSystems = new Map<string, Service>()
addNames(adSystems, adSystemNames)
addNames(byShortForm, shortNames)

/** `.com`, `.de`, `.co.uk`, `.com.br`: the suffixes that `google.*` matches. */
const countryDomain = /\.(?:com|(?:com?\.)?[a-z]{2})$/

/**
 * The most specific entry for a host: its own, that of its closest parent domain, or one for a prefix (`webmail.`).
 * At most two lookups per label, whatever the length of the lists, since this runs for every hit.
 */
const nearest = <T>(map: ReadonlyMap<string, T>, host: string): T | undefined => {
  const anyCountry = host.replace(countryDomain, '.*')
  for (let at = 0; at < host.length; ) {
    const entry = map.get(host.slice(at)) ?? map.get(anyCountry.slice(at))
    if (entry !== undefined) return entry
    const dot = host.indexOf('.', at)
    at = dot === -1 ? host.length : dot + 1
  }
  return map.get(host.slice(0, host.indexOf('.') + 1))
}

const entryAt = (place: Place): Service | 'spam' | undefined =>
  place.app ? byKey.get(`app:${place.host}`) : nearest(byKey, place.host)

/** The service that a referrer's place belongs to; null if there is none. */
export const serviceAt = (place: Place): Service | null => {
  const entry = entryAt(place)
  return entry === undefined || entry === 'spam' ? null : entry
}

/** Whether a place is known for referrer spam. */
export const isSpamPlace = (place: Place): boolean => entryAt(place) === 'spam'

const serviceAtHost = (source: string): Service | null => {
  const place = placeOf(source.includes('://') ? source : `https://${source}`)
  if (place === null || !place.host.includes('.')) return null
  return nearest(byMailerHost, place.host) ?? serviceAt(place) ?? serviceAt({ ...place, app: true })
}

/** The service that a utm_source names by its host (`l.facebook.com`) or short form (`fb`), null if there is none. */
export const serviceNamed = (source: string): Service | null =>
  serviceAtHost(source) ?? byShortForm.get(shortForm(source)) ?? null

/** The search engine or network whose ads a name stands for: `google_ads`, `fb-ads`. */
const advertiserNamed = (short: string): Service | null => {
  const owner = /^(.+?)ads?$/.exec(short)?.[1]
  const service = owner === undefined ? undefined : byShortForm.get(owner)
  return service?.list === 'search' || service?.list === 'social' ? service : null
}

/** The system of ads that a utm_source names, under the name of whose ads they are; null if it names none. */
export const adSystemNamed = (source: string): Service | null => {
  const short = shortForm(source)
  const known = byShortForm.get(short)
  if (known?.list === 'ads') return known
  return adSystems.get(short) ?? (known === undefined ? advertiserNamed(short) : null)
}
