// Shared links: the token is in the fragment of the address, which no server and no log sees.
import type { OpenedLink } from '../../endpoints/share-links.ts'
import type { Start } from '../../reports/start.ts'
import { resource, type Session, showLink } from './api.ts'
import type { Segment } from './segments.ts'
import { type Filter, filtersOf } from './url.ts'

/**
 * What a shared link shows, or a user sees who is held to filters. `segment` is the saved one among the filters; `goals` and `annotations` say whether goals with funnels and annotations
 * are shown.
 */
export type Shared = {
  name: string
  filters: readonly Filter[]
  segment: Segment | null
  goals: boolean
  annotations: boolean
}

/** An opened link: what it shows, and from which day on. */
export type Opened = { shared: Shared; start: Start }

const mark = '#share='

/** What a user sees who is held to filters; null for others. */
export const heldBy = ({ name, filters, segment }: Session): Shared | null =>
  filters && { name, filters: filtersOf(filters), segment, goals: false, annotations: false }

/** The token in the address; null without one. A token that was cut off within an escape is invalid, not absent. */
export const sharedToken = (): string | null => {
  // In a frame of another page there is no login.
  if (!location.hash.startsWith(mark)) return document.documentElement.dataset.framed === undefined ? null : ''
  const text = location.hash.slice(mark.length)
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address that opens a link. */
export const linkOf = (token: string): string => new URL(`${location.pathname}${mark}${token}`, location.href).href

/** The filters of an address that a link refuses: another value of its own ones would show no visits or say too much. */
export const foreignFilters = (filters: readonly Filter[], shared: Shared | null): Filter[] =>
  shared === null
    ? []
    : filters.filter(({ key }) => key === 'segment' || shared.filters.some(fixed => fixed.key === key))

/** Opens a link, which all further requests carry. @throws Failure 401 without its password, 404 for an invalid link */
export const openLink = async (token: string, password: string | null): Promise<Opened> => {
  const { key, start, filters, ...shown } = await resource<OpenedLink>('/share-links/open', {
    method: 'POST',
    body: { token, ...(password !== null && { password }) },
  })
  showLink(key === null ? token : `${token}.${key}`)
  return { shared: { ...shown, filters: filtersOf(filters) }, start }
}
