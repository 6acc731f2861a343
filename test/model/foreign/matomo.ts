import { type Arrival, arrivals, type Fact } from '../histories.ts'
import { clicked, partnerTags, queryOf, type VisitsFormat } from './file.ts'

const devices: Readonly<Record<string, string>> = { desktop: 'Desktop', mobile: 'Smartphone', tablet: 'Tablet' }
const browsers: Readonly<Record<string, string>> = { Safari: 'Mobile Safari', 'Samsung Internet': 'Samsung Browser' }

const visitsOf = (facts: readonly Fact[]): Fact[][] => [...Map.groupBy(facts, fact => fact.visit).values()]

/** What an event is in its terms: its own, or one of those that it finds by itself. */
const eventOf = (fact: Fact): Fact => {
  if (fact.name === 'download')
    return {
      ...fact,
      page: null,
      host: 'example.org',
      name: 'file_download',
      properties: { url: 'https://example.org/a.pdf' },
      value: null,
    }
  const { plan, of } = fact.properties
  return {
    ...fact,
    properties: { ...(plan !== undefined && { category: plan }), ...(of !== undefined && { name: of }) },
  }
}

const actionOf = (fact: Fact, at: number) => {
  const url = `https://${fact.host}${encodeURI(fact.page ?? '')}`
  const query = queryOf(fact, `?${partnerTags}`, `?${clicked}`)
  if (!fact.isEvent)
    return {
      type: 'action',
      url: url + query,
      pageTitle: fact.title,
      timestamp: at,
      timeSpent: fact.seconds === null ? null : String(fact.seconds),
    }
  if (fact.name === 'download') return { type: 'download', url: 'https://example.org/a.pdf', timestamp: at }
  return {
    type: 'event',
    url,
    timestamp: at,
    eventCategory: fact.properties.plan ?? '',
    eventAction: fact.name,
    eventName: fact.properties.of ?? null,
    ...(fact.value !== null && { eventValue: fact.value }),
  }
}

type Ways = {
  /** One list, or one visit a line. */
  isList: boolean
  hasVisitors: boolean
  /** By how many hours its actions are shifted: they have local times as if these were UTC. */
  shift: number
}

/** A visit has one source, place and browser. */
const visitLine = (facts: readonly Fact[], { hasVisitors, shift }: Ways) => {
  const [first] = facts
  if (first === undefined) throw new Error('there is no row')
  const { referrer, utm, inAddress = false }: Arrival = arrivals[first.arrival]
  const isNamed = first.arrival === 'search' && first.id % 200 === 0
  const { place, client } = first
  const last = Math.max(...facts.map(({ at }) => at))
  return {
    idSite: '1',
    idVisit: first.visit,
    visitorId: hasVisitors ? first.person : '',
    actionDetails: [
      ...facts.map(fact => actionOf(fact, fact.at + shift * 3600)),
      { type: 'goal', timestamp: last + shift * 3600 },
    ],
    lastActionTimestamp: last,
    referrerType: isNamed ? 'search' : referrer === '' ? 'direct' : 'website',
    referrerName: isNamed ? 'Google' : '',
    referrerUrl: isNamed ? '' : referrer,
    campaignSource: inAddress ? '' : (utm?.source ?? ''),
    campaignMedium: inAddress ? '' : (utm?.medium ?? ''),
    campaignName: inAddress ? '' : (utm?.campaign ?? ''),
    countryCode: place.country?.toLowerCase() ?? 'xx',
    region: place.country === 'US' ? 'Texas' : '',
    regionCode: place.region?.slice(3) ?? '',
    city: place.city,
    deviceType: devices[client.device],
    browserName: browsers[client.browser ?? ''] ?? client.browser,
    browserVersion: `${client.version}.0`,
    operatingSystemName: client.os === 'Linux' ? 'GNU/Linux' : client.os,
    operatingSystemVersion: client.osVersion,
    resolution: first.screen ?? 'unknown',
    languageCode: first.language?.toLowerCase() ?? '',
  }
}

export const matomo = (ways: Ways): VisitsFormat => ({
  name: 'matomo',
  title: `Matomo ${JSON.stringify(ways)}`,
  cuts: false,
  estimates: false,
  isUnordered: false,
  rowOf: ({ visit }) => visit,
  says: given =>
    visitsOf(given).flatMap(facts =>
      facts.map(fact => {
        const [first = fact] = facts
        const isNamed = first.arrival === 'search' && first.id % 200 === 0
        const arrival = isNamed ? 'named' : first.arrival === 'paid' ? 'search' : first.arrival
        const inAddress = arrival === 'partner' || arrival === 'paidInAddress'
        const others = arrival === 'partner' ? 'direct' : 'search'
        return {
          ...(fact.isEvent ? eventOf(fact) : fact),
          person: ways.hasVisitors ? fact.person : fact.visit,
          scroll: null,
          seconds: fact.isEvent ? null : fact.seconds,
          title: fact.isEvent ? null : fact.title,
          value: fact.isEvent && fact.name !== 'download' ? fact.value : null,
          // Of an address, only that of the first view has them.
          arrival: inAddress && (fact.id !== first.id || fact.isEvent) ? others : arrival,
          place: fact.place.country === 'US' ? { ...fact.place, region: 'Texas' } : fact.place,
          isBot: false,
        }
      }),
    ),
  write: given => {
    const [all, twice] = [visitsOf([...new Map(given.map(fact => [fact.id, fact])).values()]), visitsOf(given)]
    const repeated = twice.filter(facts => facts.length > new Set(facts.map(({ id }) => id)).size)
    const again = all.filter(facts => repeated.some(([first]) => first?.visit === facts[0]?.visit))
    const [some] = all
    if (some === undefined) throw new Error('there are no rows')
    const whole = visitLine(some, ways)
    const noise = [
      { ...whole, idVisit: 'no list', actionDetails: null },
      // What comes before in it does not come in either.
      {
        ...whole,
        idVisit: 'no time',
        lastActionTimestamp: 1_774_584_000,
        actionDetails: [
          { type: 'action', url: 'https://example.org/before', timestamp: 1_774_584_000 },
          { type: 'goal', timestamp: 1_774_584_000 },
          { type: 'action', url: 'https://example.org/' },
        ],
      },
      { ...whole, idSite: '2', idVisit: 'other' },
    ]
    const visits = [
      ...[...all].reverse().map(facts => visitLine(facts, ways)),
      ...again.map(facts => visitLine(facts, ways)),
    ]
    const lines = [...visits, ...noise]
    return {
      files: {
        'visits.json': ways.isList
          ? JSON.stringify(lines, null, 1)
          : lines.map(line => JSON.stringify(line)).join('\n'),
      },
      flags: ['--site', '1'],
      refused: { 'actionDetails is not a list': 1, 'an action has no timestamp': 1 },
      notImported: isRefused => {
        const goals = all.filter(([first]) => !isRefused(first?.visit ?? '')).length
        return goals === 0 ? {} : { 'actions that are not a page view or an event': goals }
      },
      again: again.map(([first]) => first?.visit ?? ''),
    }
  },
})
