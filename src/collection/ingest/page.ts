import { clickIds, type Utm } from '../../channel/channel.ts'
import { addressHost, isAddress } from '../../channel/referrer.ts'
import { memoize } from '../../lib/lru-cache.ts'
import { onePage } from '../../lib/page-patterns.ts'
import { plainHost } from '../../lib/plain-host.ts'
import { cleanText, redactAndCut, redactPath, redactTag, redactText } from './text.ts'

/** Values of the parameters of `--keep-query` that are kept. */
export const keptValue = String.raw`[\w-]{1,40}`

/** Values of `source` and `ref` that may stand for `utm_source`, if they hold a letter. */
export const sourceValue = String.raw`[A-Za-z\d][\w.-]{1,59}`

/** A name as it is written in a query: browsers encode brackets in forms, but not in addresses. */
const encoded = (name: string): string =>
  name.replaceAll('.', String.raw`\.`).replace(/[[\]]/g, bracket => `(?:\\${bracket}|${encodeURIComponent(bracket)})`)

/**
 * What the tracker sends of the query of a page's address, as the source of a pattern: the parameters that the service
 * reads, and of others, such as click ids, the name. It matches `&name=value` or `&name`; group 1 is the name of a
 * parameter that identifies the page.
 */
export const readQuery = (keep: readonly string[]): string => {
  const kept = keep.length === 0 ? '' : String.raw`(${keep.map(encoded).join('|')})=[\w-]+(?=&|$)|`
  return String.raw`&(?:${kept}(?:utm_\w+|source|ref)=[^&]*|\w+(?==))`
}

const maxHostLength = 255

/** A host as it is stored: an IP address is never named. */
export const storedHost = memoize(1000, (host): string => {
  const plain = plainHost(host).slice(0, maxHostLength)
  return isAddress(plain) ? addressHost : plain
})

const hostOfOrigin = memoize(1000, origin => {
  try {
    return new URL(origin).host
  } catch {
    return null
  }
})

/** The host of an `Origin` header; null if there is none. */
export const originHost = (origin: string | undefined): string | null =>
  origin === undefined || origin === 'null' ? null : hostOfOrigin(origin)

/** The host of a request: a path alone is one of the site that sends it, else of the first host that is configured. */
export const hostOfRequest = (
  headers: { get: (name: string) => string | undefined },
  host: string | null,
  allowedHosts: readonly string[],
): string => storedHost(host ?? originHost(headers.get('origin')) ?? allowedHosts[0] ?? '')

const pageLength = 1024
const utmLength = 200
const isKept = new RegExp(`^${keptValue}$`)

/** The parsed URL of a page; the rest of its query is dropped. */
export type PageAddress = {
  /** Lower case, with port; null if only a path was given. */
  host: string | null
  page: string
  /** As it arrived, without `?`; never stored. */
  query: string
  utm: Utm
  clickId: string | null
}

/** Characters that would mean something else if they were decoded: / ? # % and the backslash. */
const reserved = /%(2f|3f|23|25|5c)/gi
const hasReserved = new RegExp(reserved.source, 'i')

const decodeSequence = (sequence: string): string => {
  if (sequence === '%') return '%25'
  const upper = sequence.toUpperCase()
  try {
    return decodeURIComponent(upper.replace(reserved, '%25$1'))
  } catch {
    return upper
  }
}

/**
 * A path as it is shown: decoded, but for reserved characters and bytes that are no UTF-8. It leads to the same page, and
 * decoding it again changes nothing.
 */
export const decodePath = (path: string): string => {
  if (!path.includes('%')) return path
  // All at once, which is quicker, where nothing stays encoded.
  if (!hasReserved.test(path)) {
    try {
      return decodeURIComponent(path)
    } catch {}
  }
  return path.replace(/(?:%[\da-f]{2})+|%/gi, decodeSequence)
}

/** The parameters that identify a page, as in the platform's plain permalinks (`/?p=12`), sorted by name. */
const keptQuery = (query: URLSearchParams, keep: readonly string[]): string => {
  const pairs = keep.flatMap(name => {
    const value = query.get(name)
    return value !== null && isKept.test(value) ? [`${name}=${value}`] : []
  })
  return pairs.length === 0 ? '' : `?${pairs.sort().join('&')}`
}

const utmValue = (text: string | null): string | null => {
  const value = redactAndCut(cleanText(text ?? ''), utmLength, redactTag)
  return value === '' ? null : value
}

/** The stored form of UTM values; `find` returns a parameter such as `utm_source`. */
export const pageUtm = (find: (name: string) => string | null): Utm => ({
  source: utmValue(find('utm_source')),
  medium: utmValue(find('utm_medium')),
  campaign: utmValue(find('utm_campaign')),
  term: utmValue(find('utm_term')),
  content: utmValue(find('utm_content')),
})

/** What stands for utm_source in many links is taken only if it looks like a name, not like a number or an address. */
const sourceName = new RegExp(`^(?=.*[A-Za-z])${sourceValue}$`)

/** The parameter of a query, where `source`, or else `ref`, stands for an absent utm_source. */
const queryTag =
  (query: URLSearchParams) =>
  (name: string): string | null => {
    const value = query.get(name)
    if (name !== 'utm_source' || (value !== null && value.trim() !== '')) return value
    return [query.get('source'), query.get('ref')].find(other => other !== null && sourceName.test(other)) ?? null
  }

/** Services spell their click ids differently: `ScCid`. */
const clickIdOf = (query: URLSearchParams): string | null => {
  const keys = new Set([...query.keys()].map(key => key.toLowerCase()))
  return clickIds.find(name => keys.has(name)) ?? null
}

export const noUtm: Utm = { source: null, medium: null, campaign: null, term: null, content: null }
const noQuery = new URLSearchParams()

/** The page key (api.md §3): decoded but for reserved characters, `//` collapsed, no trailing slash, one page for all orders, secrets redacted, with its query. */
export const pageKey = (path: string, query: URLSearchParams, keep: readonly string[]): string => {
  const plain = cleanText(decodePath(path))
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
  return redactAndCut(onePage(plain === '' ? '/' : plain) + keptQuery(query, keep), pageLength, redactPath)
}

/** Base for resolving paths; never stored. */
const anyOrigin = 'http://page.invalid'

const parseUrl = (text: string): URL | null => {
  try {
    return text.startsWith('/') ? new URL(anyOrigin + text) : new URL(text)
  } catch {
    return null
  }
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'

const hostOf = (text: string, url: URL): string | null => (text.startsWith('/') ? null : url.host)

/** Cached: most views are of few pages and have no query. */
const parsePlain = memoize(5000, (text): PageAddress | null => {
  const url = parseUrl(text)
  if (url === null || !isWeb(url)) return null
  return { host: hostOf(text, url), page: pageKey(url.pathname, noQuery, []), query: '', utm: noUtm, clickId: null }
})

/**
 * Parses the URL of a page.
 * @param keep names of query parameters that identify pages, sorted
 * @returns null if it is neither an absolute http(s) URL nor a path
 */
export const parsePage = (text: string, pageQuery: string | null, keep: readonly string[]): PageAddress | null => {
  if (pageQuery === null && !text.includes('?')) return parsePlain(text)
  const url = parseUrl(text)
  if (url === null || !isWeb(url)) return null
  const isApart = url.search === '' && pageQuery !== null
  const query = isApart ? new URLSearchParams(pageQuery) : url.searchParams
  return {
    host: hostOf(text, url),
    page: pageKey(url.pathname, query, keep),
    query: (isApart ? pageQuery : url.search).replace(/^\?/, ''),
    utm: pageUtm(queryTag(query)),
    clickId: clickIdOf(query),
  }
}

/** Titles, names and the like: one line, truncated, addresses redacted; null if nothing is left. */
export const labelText = (text: string, length: number): string | null => {
  const clean = redactAndCut(cleanText(text), length, redactText)
  return clean === '' ? null : clean
}
