// The hosts of the site: which of them the reports are limited to.
import type { App } from './app-context.ts'
import type { Shared } from './share.ts'
import { type Filter, filterBy, filterText, type State } from './url.ts'

const isOfHosts = ({ key }: Filter): boolean => key === 'host'

/** The host filters of the address, or of a shared link, in words. */
const chosenHosts = ({ filters }: Pick<State, 'filters'>, shared: Shared | null): string[] =>
  [...(shared?.filters ?? []), ...filters].filter(isOfHosts).map(filterText)

/** What the page is about: the chosen hosts, else the name of the site, or the only host that there is. */
export const siteNames = ({
  state,
  shared,
  session,
  hosts,
}: Pick<App, 'state' | 'shared' | 'session' | 'hosts'>): string[] => {
  const name = session?.site_name ?? null
  const chosen = chosenHosts(state, shared)
  if (chosen.length > 0) return chosen
  if (name !== null) return [name]
  return hosts.length === 1 ? [...hosts] : []
}

/** The one known host that reports are limited to; null for all, and for what the switch cannot say. */
export const currentHost = ({ state, hosts }: Pick<App, 'state' | 'hosts'>): string | null => {
  const filter = state.filters.find(isOfHosts)
  const [only, ...others] = filter?.included === true ? filter.values : []
  return only !== undefined && others.length === 0 && hosts.includes(only) ? only : null
}

/** The filters that limit reports to a host, or to none. */
export const withHost = (filters: readonly Filter[], host: string | null): Filter[] => [
  ...(host === null ? [] : [filterBy('host', host)]),
  ...filters.filter(filter => !isOfHosts(filter)),
]

/** How pages are named: those of one host need not repeat it. */
export const pageNames = ({ state, shared }: Pick<App, 'state' | 'shared'>): { by?: string } =>
  [...(shared?.filters ?? []), ...state.filters].some(
    filter =>
      isOfHosts(filter) && filter.included && filter.values.length === 1 && filter.values[0]?.includes('*') === false,
  )
    ? { by: 'path' }
    : {}
