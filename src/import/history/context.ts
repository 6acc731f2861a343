import { isSpam, type Origin, type Utm } from '../../channel/channel.ts'
import type { Corrections } from '../../channel/corrections.ts'
import { createOrigins } from '../../collection/enrich/enrich.ts'
import { type PageAddress, parsePage, storedHost } from '../../collection/ingest/page.ts'
import { plainHost } from '../../lib/plain-host.ts'
import type { Day, Zone } from '../../lib/time.ts'
import { RowProblem } from './row.ts'
import type { Stage } from './stage.ts'
import type { Tally } from './tally.ts'

/** What is known of the site. */
export type Site = {
  allowedHosts: readonly string[]
  keepQuery: readonly string[]
  corrections: Corrections
}

/** Where rows are staged, and by which rules. */
export type Context = {
  site: Site
  zone: Zone
  /** The zone of times without an offset. */
  sourceZone: Zone
  stage: Stage
  tally: Tally
  /** Whether rows of a day are imported. @throws RowProblem for days that no history has */
  takes: (day: Day, later?: (work: () => void) => void) => boolean
}

export type Arrival = { referrer: string | null; utm: Utm; clickId: string | null; host: string | null }

/** The rules of live visits for pages, sources and hosts. */
export type Rules = {
  /** Null for what stands for no page, such as `(not set)`. */
  page: (address: string, query?: string | null) => PageAddress | null
  origin: (arrival: Arrival) => Origin
  isSpam: (referrer: string) => boolean
  isForeign: (host: string) => boolean
  /** The host of pages that are named by their path alone. */
  host: (host: string | null) => string
}

export const createRules = ({ allowedHosts, keepQuery, corrections }: Site, { renamed }: Tally): Rules => {
  const hosts = new Set(allowedHosts.map(plainHost))
  return {
    page: (text, query = null) => {
      const given = text.trim()
      if (given === '' || /^\(.*\)$/.test(given)) return null
      const isAddress = /^https?:\/\//i.test(given)
      const address = parsePage(isAddress || given.startsWith('/') ? given : `/${given}`, query, keepQuery)
      if (address === null) throw new RowProblem('its page is no address')
      if (!isAddress && address.page !== given) renamed('page', given, address.page)
      return address
    },
    origin: createOrigins(allowedHosts, corrections),
    isSpam: referrer => isSpam(referrer, allowedHosts, corrections),
    isForeign: host => hosts.size > 0 && !hosts.has(plainHost(host)),
    host: host => storedHost(host ?? allowedHosts[0] ?? ''),
  }
}

/** A source as other programs name it: a host, an address, or a label such as `Hacker News`. */
export const arrivalOf = (source: string, referrer: string, utm: Utm): Arrival => {
  const known = /^\(.*\)$|^direct( \/ none)?$/i.test(source.trim()) ? '' : source.trim()
  const given = referrer.trim() === '' && /^[\w-]+(\.[\w-]+)+(\/|$)/.test(known) ? known : referrer.trim()
  const address = given === '' || /^[a-z-]+:\/\//i.test(given) ? given : `https://${given}`
  return {
    referrer: address === '' ? null : address,
    // A label is understood as a campaign's source is: by its name.
    utm: address === '' && known !== '' && utm.source === null ? { ...utm, source: known } : utm,
    clickId: null,
    host: null,
  }
}
