import { adSystemForms, firstParts, mailers, referrerServices, type Service, shortForms, spamHosts } from './lists.ts'
import { type Place, placeOf } from './referrer.ts'

/** Spam hosts are here as well, so that the nearest entry decides. One that is on another list, too, is not spam. */
export const byKey: ReadonlyMap<string, Service | 'spam'> = new Map<string, Service | 'spam'>([
  ...spamHosts.map((host): [string, 'spam'] => [host, 'spam']),
  ...referrerServices,
])
const byMailerHost: ReadonlyMap<string, Service> = new Map(mailers)

/** The letters and digits of a name, for comparisons: hacker-news and Hacker News are the same. */
export const shortForm = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** By short form; a mailer takes precedence if a name is both, such as Substack, since rule 3 comes before rule 6. */
const byShortForm = new Map([...referrerServices, ...mailers].map(([, service]) => [shortForm(service.name), service]))
const addForms = (map: Map<string, Service>, forms: readonly [short: string, name: string][]): void => {
  for (const [short, name] of forms) {
    const service = byShortForm.get(shortForm(name))
    if (service !== undefined) map.set(short, service)
  }
}
const adSystems = new Map<string, Service>()
addForms(adSystems, adSystemForms)
addForms(byShortForm, shortForms)
const byFirstPart = new Map<string, Service>()
addForms(byFirstPart, firstParts)

/** `.com`, `.de`, `.co.uk`, `.com.br`: the suffixes that `google.*` matches. */
const countryDomain = /\.(?:com|(?:com?\.)?[a-z]{2})$/

/**
 * The most specific entry for a host: its own, that of its closest parent domain, or one for a prefix (`webmail.`);
 * with the part of the host before the entry's, '' or with a dot at its end.
 * At most two lookups per label, whatever the length of the lists, since this runs for every hit.
 */
const nearest = <T>(map: ReadonlyMap<string, T>, host: string): { entry: T; before: string } | null => {
  const anyCountry = host.replace(countryDomain, '.*')
  for (let at = 0; at < host.length; ) {
    const entry = map.get(host.slice(at)) ?? map.get(anyCountry.slice(at))
    if (entry !== undefined) return { entry, before: host.slice(0, at) }
    const dot = host.indexOf('.', at)
    at = dot === -1 ? host.length : dot + 1
  }
  const entry = map.get(host.slice(0, host.indexOf('.') + 1))
  return entry === undefined ? null : { entry, before: '' }
}

/** Labels below a portal's host that are still its search in themselves: on a phone, for pictures, of a country. */
const searchLabels = new Set(
  `www www1 www2 www3 www4 m wap mobile touch lite web sp r p so nova pic video videos videa news lens books scholar cse
  encrypted ipv4 ipv6 clck global int go one cade malaysia espanol chinese english chfr qc
  ar at au be br ca ch cl cn co cr cz de dk es fi fr gr hk hu id ie in it jp kr mx nl no nz pe ph pl pt ro ru se sg th
  tr tw ua uk us ve vn za`.split(/\s+/),
)
const searchWord = /search|suche|sok|recherche|busqueda|images?\b/

/** Whether what comes before a portal's host is still its search: `m.`, `images.search.`, `de.`; but not `weather.`. */
const isSearchBelow = (before: string): boolean =>
  searchWord.test(before) || before.split('.').every(label => label === '' || searchLabels.has(label))

/** Webmail's servers are numbered, or named for a place: `webmail2.`, `lightmailer-bs.`. */
const numberedMail = /^(?:(webmail|mail)\d{1,2}|(lightmailer|navigator|3c)-[^.]+)(?=(?:\.[^.]+){2})/

const entryAt = (place: Place): Service | 'spam' | undefined => {
  if (place.app) return byKey.get(`app:${place.host}`)
  const found = nearest(byKey, place.host.replace(numberedMail, '$1$2'))
  if (found === null || found.entry === 'spam') return found?.entry
  return found.entry.isPortal && !isSearchBelow(found.before) ? undefined : found.entry
}

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
  return nearest(byMailerHost, place.host)?.entry ?? serviceAt(place) ?? serviceAt({ ...place, app: true })
}

/** The network that a utm_source begins with: `facebook_mobile_feed`; but `linkedin_newsletter` is a newsletter. */
const networkBefore = (source: string): Service | null =>
  byFirstPart.get(/^[a-z]+(?=[\s_+-](?!.*newsletter))/i.exec(source)?.[0].toLowerCase() ?? '') ?? null

/** The service that a utm_source names by its host (`l.facebook.com`) or short form (`fb`), null if there is none. */
export const serviceNamed = (source: string): Service | null =>
  serviceAtHost(source) ?? byShortForm.get(shortForm(source)) ?? networkBefore(source)

/** The search engine or network whose ads a name stands for: `google_ads`, `fb-ads`. */
const advertiserNamed = (short: string): Service | null => {
  const owner = /^(.+?)ads?$/.exec(short)?.[1]
  const service = owner === undefined ? undefined : byShortForm.get(owner)
  return service?.list === 'search' || service?.list === 'social' ? service : null
}

/** What a source contains up to the word ads: `google_ads` of `google_ads_pmax`. */
const upToAds = /^.*?[\s_+-]ads?(?=[\s_+-])/i

/** The system of ads that a utm_source names, under the name of whose ads they are; null if it names none. */
export const adSystemNamed = (source: string): Service | null => {
  const short = shortForm(upToAds.exec(source)?.[0] ?? source)
  const known = byShortForm.get(short)
  const system = adSystems.get(short)
  if (system !== undefined) return system
  if (known === undefined) return advertiserNamed(short)
  return known.list === 'ads' ? known : null
}
