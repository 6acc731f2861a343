// Shared links: the token stands in the fragment of the address, which no server and no log sees.
import type { OpenedLink } from '../../endpoints/share-links.ts'
import { resource, showLink } from './api.ts'
import { filterKeys, readFilter, type Filter } from './url.ts'

export type Shared = { name: string; filters: readonly Filter[] }

const mark = '#share='

/** The token in the address; null without one. */
export const sharedToken = (): string | null =>
  location.hash.startsWith(mark) ? decodeURIComponent(location.hash.slice(mark.length)) : null

/** The address that opens a link. */
export const linkOf = (token: string): string => new URL(`${location.pathname}${mark}${token}`, location.href).href

/** The API's filters, in the order of `filterKeys`. */
export const filtersOf = (params: Readonly<Record<string, string>>): Filter[] =>
  filterKeys.flatMap(key => (params[key] === undefined ? [] : [readFilter(key, params[key])]))

/** Opens a link, which all further requests carry. @throws Failure 401 without its password, 404 for an invalid link */
export const openLink = async (token: string, password: string | null): Promise<Shared> => {
  const { name, filters, key } = await resource<OpenedLink>('/share-links/open', {
    method: 'POST',
    body: { token, ...(password !== null && { password }) },
  })
  showLink(key === null ? token : `${token}.${key}`)
  return { name, filters: filtersOf(filters) }
}
