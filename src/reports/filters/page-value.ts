// What people write for a page: as reports show it, with its host, or as it stands in the address bar.
import { domainToASCII } from 'node:url'
import { decodePath, parsePage, storedHost } from '../../collection/ingest/page.ts'
import { gap } from './syntax.ts'

const webAddress = /^https?:\/\//i
const hostBefore = /^[^/\s]+\.[^/\s]+(?=\/|$)/

/** A page by its host, and the same of an unknown host, as `pages` in src/sql/filter.sql finds it. */
const parsed = (address: string, keep: readonly string[]): { host: string; page: string } | null => {
  const found = parsePage(address, null, keep)
  return found === null ? null : { host: found.host === null ? '' : storedHost(found.host), page: found.page }
}

/**
 * The pages that a text can mean, of which the first that the file has counts.
 * @param keep names of the parameters that identify pages
 */
export const pagesNamed = (text: string, keep: readonly string[]): string[] => {
  if (text === '') return [text]
  const address = webAddress.test(text) || text.startsWith('/') ? text : `https://${text}`
  if (address !== text && !hostBefore.test(text)) return [text]
  const found = parsed(address, keep)
  if (found === null) return [text]
  const { host, page } = found
  const unknownHost = webAddress.test(text) ? [`${gap}${page}`] : []
  return [...new Set([text, `${host}${page}`, ...unknownHost])]
}

/** A page as goals keep it: its path, after its host if one was named. */
export const pageNamed = (text: string, keep: readonly string[]): string => {
  const [given = text, found = given] = pagesNamed(text, keep)
  return found
}

/** A pattern of pages, with `gap` for `*`: of an address its host and path. */
export const patternNamed = (pattern: string): string => {
  const bare = pattern.replace(webAddress, '')
  const [host = ''] = hostBefore.exec(bare.split(gap, 1).join('')) ?? []
  if (host === '') return decodePath(bare)
  return `${storedHost(domainToASCII(host) || host)}${decodePath(bare.slice(host.length))}`
}

/** Whether a text that is no pattern can be a page: a path, one with its host, or a sum such as `(other)`. */
export const canBePage = (text: string): boolean => /^[/(]/.test(text) || webAddress.test(text) || hostBefore.test(text)

/** What a search among pages looks for: of an address the path. */
export const pageSearch = (search: string | undefined): string | undefined =>
  search === undefined ? undefined : webAddress.test(search) ? (parsed(search, [])?.page ?? search) : decodePath(search)
