// The services visitors come from, read once from data/: which list each is on and what it is called.
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

/** A service by its readable name; `mailer` are senders of newsletters, known by utm_source only. */
export type Service = { name: string; list: List }

/** A data file's lines as pairs of key and name; `#` begins a comment. */
export const entries = (text: string): [key: string, name: string][] =>
  text.split('\n').flatMap(line => {
    const [, key, name = ''] = /^(\S+)(?:\s+(.*\S))?/.exec(line.replace(/#.*/, '')) ?? []
    return key === undefined ? [] : [[key, name]]
  })

const services = (list: List, text: string): [string, Service][] =>
  entries(text).map(([key, name]) => [key, { name, list }])

/**
 * The lists a referrer is looked up on. A key is on one of them only (a test holds that), so an entry nearer to the host
 * decides: mail.google.com and gemini.google.com before google.*, docs.google.com and blog.naver.com as exceptions.
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

/** What is compared of a name: its letters and digits, so that hacker-news and Hacker News are one. */
export const shortForm = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** By short form; the sender wins where one name is both, as Substack is, for rule 3 comes before rule 7. */
const byShortForm = new Map([...referrerServices, ...mailers].map(([, service]) => [shortForm(service.name), service]))
for (const [short, name] of entries(shortNames)) {
  const service = byShortForm.get(shortForm(name))
  if (service !== undefined) byShortForm.set(short, service)
}

/** `.com`, `.de`, `.co.uk`, `.com.br`: where a name written `google.*` is the same firm's. */
const countryDomain = /\.(?:com|(?:com?\.)?[a-z]{2})$/

/**
 * The entry nearest to a host: its own, that of the closest domain above it, or one for hosts that begin alike
 * (`webmail.`). One look-up or two a label, whatever the length of the lists, as every hit passes here.
 */
const nearest = <T>(map: ReadonlyMap<string, T>, host: string): T | null => {
  const anyCountry = host.replace(countryDomain, '.*')
  for (let at = 0; at < host.length; ) {
    const found = map.get(host.slice(at)) ?? map.get(anyCountry.slice(at))
    if (found !== undefined) return found
    const dot = host.indexOf('.', at)
    at = dot === -1 ? host.length : dot + 1
  }
  return map.get(host.slice(0, host.indexOf('.') + 1)) ?? null
}

/** The service a referrer's place belongs to, null if it is on no list. */
export const serviceAt = (place: Place): Service | null =>
  place.app ? (byKey.get(`app:${place.host}`) ?? null) : nearest(byKey, place.host)

/** Whether a place is a known referrer spammer's. */
export const isSpam = (place: Place): boolean => !place.app && nearest(spamHosts, place.host) !== null

const serviceAtHost = (source: string): Service | null => {
  const place = placeOf(source.includes('://') ? source : `https://${source}`)
  if (place === null || !place.host.includes('.')) return null
  return nearest(byMailerHost, place.host) ?? serviceAt(place) ?? serviceAt({ ...place, app: true })
}

/** The service that a utm_source names by its host (`l.facebook.com`) or short form (`fb`), null if it names none. */
export const serviceNamed = (source: string): Service | null =>
  serviceAtHost(source) ?? byShortForm.get(shortForm(source)) ?? null
