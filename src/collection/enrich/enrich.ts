import { evidenceOf } from '../../bots/evidence.ts'
import { createServerNetworks } from '../../bots/networks.ts'
import { bitOf, logBit } from '../../bots/rules.ts'
import { classify, type Origin, type Utm } from '../../channel/channel.ts'
import { type Corrections, noCorrections } from '../../channel/corrections.ts'
import { type GeoReader, noPlace } from '../../geoip/reader.ts'
import { isPrivateAddress, throttleKey, truncateAddress } from '../../lib/address/list.ts'
import { coarseLanguage, screenClass } from '../../lib/coarse.ts'
import { acceptedLanguage } from '../../lib/locale.ts'
import { memoize } from '../../lib/lru-cache.ts'
import type { Settings } from '../../settings/settings.ts'
import type { HitFields, Parsed } from '../ingest/fields.ts'
import { hostOfRequest, noUtm } from '../ingest/page.ts'
import type { CommonFields } from '../ingest/values.ts'
import type { Common, HitRecord, Identity, Incoming, VisitRecord } from '../record.ts'
import { hintsOf, parseAgent } from './agent.ts'
import type { Salts } from './salts.ts'

const cacheSize = 5000

type Arrival = { referrer: string | null; utm: Utm; clickId: string | null; host: string | null }

/** Classifies where visits come from. Results without campaign tags are cached, since most visits share few of them. */
export const createOrigins = (
  allowedHosts: readonly string[],
  corrections: Corrections,
): ((arrival: Arrival) => Origin) => {
  const origin = ({ host, ...arrival }: Arrival): Origin =>
    classify({ ...arrival, corrections, siteHosts: host === null ? allowedHosts : [...allowedHosts, host] })

  // Hosts contain no line breaks.
  const untagged = memoize(cacheSize, key => {
    const [host = '', referrer = ''] = key.split('\n', 2)
    return origin({
      referrer: referrer === '' ? null : referrer,
      host: host === '' ? null : host,
      utm: noUtm,
      clickId: null,
    })
  })

  return arrival => {
    const { referrer, utm, clickId, host } = arrival
    const tagged = clickId !== null || Object.values(utm).some(value => value !== null)
    return tagged || referrer?.includes('\n') === true ? origin(arrival) : untagged(`${host ?? ''}\n${referrer ?? ''}`)
  }
}

export type EnrichOptions = {
  settings: () => Settings
  /** Read for each hit, since it may be replaced while the service runs. */
  geo: GeoReader | null
  allowedHosts: readonly string[]
  /** What the operator says of hosts and sources. */
  corrections?: Corrections
  /** Whether requests come from the port: senders of a recording have no limits of their own. */
  isLive?: boolean
  /** Whether requests come from an access log, which tells the network alone of what visits are suspected by. */
  isLog?: boolean
}

/** Creates the record of an accepted request; neither its address nor its user agent is ever written. */
export type Enrich = (incoming: Incoming, parsed: Parsed) => VisitRecord

export const createEnrich = (options: EnrichOptions, salts: Salts): Enrich => {
  const { allowedHosts, corrections = noCorrections } = options
  const originOf = createOrigins(allowedHosts, corrections)
  const isServer = createServerNetworks(corrections.networks)

  const placeOf = (address: string | null) =>
    address === null || options.geo === null || !options.settings().geoip_enabled
      ? noPlace
      : options.geo.lookup(address)

  const clientOf = (address: string | null): string | null =>
    options.isLive !== true || address === null || isPrivateAddress(address) ? null : throttleKey(address)

  const identify = (incoming: Incoming, { consent, visitorId }: CommonFields): Identity => {
    const isIdentified = consent !== null && visitorId !== null && options.settings().consent_mode === 'full'
    const address = incoming.address === null ? '' : truncateAddress(incoming.address)
    const { visitor, previous } = salts.hash(incoming.at, address, incoming.userAgent)
    return { visitor, previous, lasting: isIdentified ? salts.lasting(visitorId) : null, consent }
  }

  const hostOf = ({ headers }: Incoming, { host }: CommonFields): string => hostOfRequest(headers, host, allowedHosts)

  const evidence = ({ address, userAgent, headers, isForwarded = false }: Incoming, { told }: HitFields): number => {
    const network = address !== null && isServer(address) ? bitOf('server_network') : 0
    // A recording has few of the headers, a back end its own.
    if (options.isLog === true && network !== 0) return network | logBit
    if (options.isLive !== true || isForwarded) return network
    return network | evidenceOf({ userAgent, headers, ...told })
  }

  const enrichHit = (incoming: Incoming, fields: HitFields, common: Common): HitRecord => {
    const { page, title, pvid, pageId, utm, screen, content, referrer, clickId } = fields
    return {
      ...common,
      kind: 'hit',
      page,
      host: hostOf(incoming, fields),
      title,
      pvid,
      pageId,
      utm,
      screen: screenClass(screen.width),
      content,
      dimensions: {
        origin: originOf({ referrer, utm, clickId, host: fields.host }),
        place: placeOf(incoming.address),
        agent: parseAgent(incoming.userAgent, hintsOf(incoming.headers), screen),
        language: fields.language ?? coarseLanguage(acceptedLanguage(incoming.headers.get('accept-language')) ?? ''),
      },
      evidence: evidence(incoming, fields),
    }
  }

  return (incoming, { kind, fields }) => {
    const { at, address } = incoming
    const client = clientOf(address)
    const common = { ...identify(incoming, fields), at: at - fields.age, arrival: at, client }
    if (kind === 'hit') return enrichHit(incoming, fields, common)
    if (kind === 'engagement')
      return {
        ...common,
        kind,
        pvid: fields.pvid,
        seconds: fields.seconds,
        scroll: fields.scroll,
        isMore: fields.isMore,
      }
    const { name, page, pvid, eventId, properties, value, orderId } = fields
    const host = page === null ? '' : hostOf(incoming, fields)
    return { ...common, kind, name, page, host, pvid, eventId, properties, value, orderId }
  }
}
