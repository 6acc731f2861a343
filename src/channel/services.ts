// The services that visitors come from, with their lists and names, from data/.
import ai from '../../data/channels/ai.txt'
import mailServices from '../../data/channels/mail-services.txt'
import mail from '../../data/channels/mail.txt'
import referral from '../../data/channels/referral.txt'
import search from '../../data/channels/search.txt'
import social from '../../data/channels/social.txt'
import spam from '../../data/referrer-spam.txt'
import shortNames from '../../data/source-names.txt'
import { placeOf, type Place } from './referrer.ts'

export type List = 'ai' | 'mail' | 'search' | 'social' | 'referral' | 'mailer'

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
  ...services('ai', ai),
  ...services('mail', mail),
  ...services('search', search),
  ...services('social', social),
  ...services('referral', referral),
]
const mailers = services('mailer', mailServices)

const byKey: ReadonlyMap<string, Service> = new Map(referrerServices)
const byMailerHost: ReadonlyMap<string, Service> = new Map(mailers)
const spamHosts: ReadonlyMap<string, true> = new Map(entries(spam).map(([host]) => [host, true]))

/** The letters and digits of a name, for comparisons: hacker-news and Hacker News are the same. */
export const shortForm = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** By short form; a mailer takes precedence if a name is both, such as Substack, since rule 3 comes before rule 7. */
const byShortForm = new Map([...referrerServices, ...mailers].map(([, service]) => [shortForm(service.name), service]))
for (const [short, name] of entries(shortNames)) {
  const service = byShortForm.get(shortForm(name))
  if (service !== undefined) byShortForm.set(short, service)
}

/** `.com`, `.de`, `.co.uk`, `.com.br`: the suffixes that `google.*` matches. */
const countryDomain = /\.(?:com|(?:com?\.)?[a-z]{2})$/

/**
 * The most specific entry for a host: its own, that of its closest parent domain, or one for a prefix (`webmail.`).
 * At most two lookups per label, whatever the length of the lists, since this runs for every hit.
 */
const nearest = <T>(map: ReadonlyMap<string, T>, host: string): T | null => {
  const anyCountry = host.replace(countryDomain, '.*')
  for (let at = 0; at < host.length; ) {
    const entry = map.get(host.slice(at)) ?? map.get(anyCountry.slice(at))
    if (entry !== undefined) return entry
    const dot = host.indexOf('.', at)
    at = dot === -1 ? host.length : dot + 1
  }
  return map.get(host.slice(0, host.indexOf('.') + 1)) ?? null
}

/** The service that a referrer's place belongs to; null if there is none. */
export const serviceAt = (place: Place): Service | null =>
  place.app ? (byKey.get(`app:${place.host}`) ?? null) : nearest(byKey, place.host)

/** Whether a place is known for referrer spam. */
export const isSpam = (place: Place): boolean => !place.app && nearest(spamHosts, place.host) !== null

const serviceAtHost = (source: string): Service | null => {
  const place = placeOf(source.includes('://') ? source : `https://${source}`)
  if (place === null || !place.host.includes('.')) return null
  return nearest(byMailerHost, place.host) ?? serviceAt(place) ?? serviceAt({ ...place, app: true })
}

/** The service that a utm_source names by its host (`l.facebook.com`) or short form (`fb`), null if there is none. */
export const serviceNamed = (source: string): Service | null =>
  serviceAtHost(source) ?? byShortForm.get(shortForm(source)) ?? null
