// Stages single views and events, with what is known of their visit.
import type { Origin, Utm } from '../../channel/channel.ts'
import type { Agent } from '../../collection/enrich/agent.ts'
import { eventName, eventValue, parseProperties } from '../../collection/ingest/event-fields.ts'
import { labelText, noUtm, pageUtm } from '../../collection/ingest/page.ts'
import type { Place } from '../../geoip/place.ts'
import { arrivalOf, type Context, type Rules } from './context.ts'
import { browserOf, deviceOf, osOf, type PlaceNames, placeNamed } from './names.ts'
import { RowProblem } from './row.ts'
import type { SourceNames } from './sums.ts'

/** A view or event as a source has it. What it does not know is absent. */
export type Hit = {
  /** The source's id of the visit, and of the visitor, who is one for a day only. */
  visit: string
  visitor: string
  /** Seconds since 1970. */
  at: number
  /** An address or path; absent for an event without a page. */
  page?: string
  query?: string
  host?: string
  title?: string
  seconds?: number | undefined
  scroll?: number | undefined
  /** Of an event. */
  event?: string
  properties?: Readonly<Record<string, unknown>>
  value?: number | undefined
  /** Of the visit; those of its first row count. */
  source?: SourceNames | undefined
  clickId?: string | null
  place?: PlaceNames | undefined
  device?: string
  browser?: readonly [name: string, version: string]
  os?: readonly [name: string, version: string]
  screen?: string | null
  language?: string | null
  isBot?: boolean
}

/** What is staged of a view or event. */
export type HitData = {
  page: string | null
  host: string
  title: string | null
  seconds: number | null
  scroll: number | null
  event: { name: string; properties: Record<string, string>; value: number | null } | null
  visit: {
    origin: Origin
    utm: Utm
    place: Place
    agent: Agent
    screen: string | null
    language: string | null
  }
}

const maxSeconds = 86_400

const bounded = (value: number | undefined, maximum: number): number | null =>
  value === undefined ? null : Math.min(Math.round(value), maximum)

const agentOf = ({ device = '', browser = ['', ''], os = ['', ''] }: Hit): Agent => {
  const [client, system] = [browserOf(...browser), osOf(...os)]
  return {
    device: deviceOf(device),
    browser: client.name,
    browserVersion: client.version,
    os: system.name,
    osVersion: system.version,
  }
}

const utmIn = (given: SourceNames['utm'] = {}): Utm => {
  const values = new Map(Object.entries(given).map(([key, value]) => [`utm_${key}`, value]))
  return pageUtm(name => values.get(name) ?? null)
}

const hasUtm = (utm: Utm): boolean => Object.values(utm).some(value => value !== null)

export const createHits = ({ stage, tally, takes, zone }: Context, rules: Rules) => {
  const eventOf = (hit: Hit): HitData['event'] => {
    if (hit.event === undefined) return null
    const name = eventName(hit.event.trim())
    if (name === null) throw new RowProblem('its event has no name, or one of more than 100 characters')
    if (name !== hit.event.trim()) tally.renamed('event', hit.event.trim(), name)
    const properties = Object.fromEntries(parseProperties(hit.properties, { count: 0 }))
    return { name, properties, value: eventValue(hit.value) }
  }

  const dataOf = (hit: Hit): HitData | 'foreign_host' | 'spam' => {
    const address = hit.page === undefined ? null : rules.page(hit.page, hit.query ?? null)
    const event = eventOf(hit)
    if (address === null && event === null) throw new RowProblem('it has no page')
    const named = hit.host === undefined || hit.host === '' ? (address?.host ?? null) : hit.host
    if (named !== null && rules.isForeign(named)) return 'foreign_host'
    const { source = {} } = hit
    const given = source.utm === undefined ? noUtm : utmIn(source.utm)
    const utm = hasUtm(given) ? given : (address?.utm ?? noUtm)
    const arrival = arrivalOf(source.source ?? '', source.referrer ?? '', utm)
    if (event === null && arrival.referrer !== null && rules.isSpam(arrival.referrer)) return 'spam'
    const clickId = hit.clickId ?? address?.clickId ?? null
    return {
      page: address?.page ?? null,
      host: rules.host(named),
      title: hit.title === undefined ? null : labelText(hit.title, 300),
      seconds: bounded(hit.seconds, maxSeconds),
      scroll: bounded(hit.scroll, 100),
      event,
      visit: {
        origin: rules.origin({ ...arrival, clickId, host: named }),
        utm,
        place: placeNamed(hit.place ?? { country: '' }),
        agent: agentOf(hit),
        screen: hit.screen ?? null,
        language: hit.language ?? null,
      },
    }
  }

  return (hit: Hit): void => {
    const day = zone.dayOf(hit.at)
    if (!takes(day)) return
    if (hit.isBot === true) return tally.outcome(day, 'bot')
    const data = dataOf(hit)
    if (typeof data === 'string') return tally.outcome(day, data)
    if (data.event === null) tally.add(day, { views: 1 })
    stage.addHit(hit.visit, hit.visitor, hit.at, day, JSON.stringify(data))
  }
}
