// The link by which somebody reads here without an account: its token stands behind the #, which no server and log sees.
import type { OpenedLink } from '../../endpoints/share-links.ts'
import { resource, showLink } from './api.ts'
import { filterKeys, readFilter, type Filter } from './url.ts'

export type Shared = { name: string; filters: readonly Filter[] }

const mark = '#share='

/** The token of the address; null for the usual way in. */
export const sharedToken = (): string | null =>
  location.hash.startsWith(mark) ? decodeURIComponent(location.hash.slice(mark.length)) : null

/** The address that opens a link. */
export const linkOf = (token: string): string => new URL(`${location.pathname}${mark}${token}`, location.href).href

/** Filters as the API names them, in the order of the page. */
export const filtersOf = (given: Readonly<Record<string, string>>): Filter[] =>
  filterKeys.flatMap(key => (given[key] === undefined ? [] : [readFilter(key, given[key])]))

/** Opens a link; every request carries it from then on. @throws Failure 401 without its password, 404 for one that is none */
export const openLink = async (token: string, password: string | null): Promise<Shared> => {
  const { name, filters, key } = await resource<OpenedLink>('/share-links/open', {
    method: 'POST',
    body: { token, ...(password !== null && { password }) },
  })
  showLink(key === null ? token : `${token}.${key}`)
  return { name, filters: filtersOf(filters) }
}
