import { type Arrival, arrivals, type Fact } from '../histories.ts'
import { clicked, csv, localTime, offsetTime, partnerTags, queryOf, type VisitsFormat } from './file.ts'

const browsers: Readonly<Record<string, string>> = {
  Chrome: 'chrome',
  Firefox: 'firefox',
  Safari: 'ios',
  'Samsung Internet': 'samsung',
}
const systems: Readonly<Record<string, string>> = { Windows: 'Windows 10', iOS: 'iOS', Android: 'Android OS' }

const visitorOf = ({ client, screen, language, place }: Fact) => ({
  browser: browsers[client.browser ?? ''] ?? '',
  os: systems[client.os ?? ''] ?? client.os,
  device: client.device === 'desktop' ? 'laptop' : client.device,
  screen,
  language,
  country: place.country,
  region: place.region,
  city: place.city,
})

type Ways = {
  /** Whether visitors and properties are tables of their own, as in the database. */
  isSplit: boolean
  /** Whether visits have ids, which old versions did not. */
  hasVisits: boolean
  /** Whether there are several sites. */
  hasSites: boolean
}

const rowOf = (fact: Fact, at: string, { hasVisits }: Ways) => {
  const { referrer, utm, inAddress = false, clickId }: Arrival = arrivals[fact.arrival]
  const [, domain = '', path = ''] = /^https:\/\/([^/]+)(.*)$/.exec(referrer) ?? []
  return {
    website_id: fact.id % 5 === 4 ? '' : 'site-1',
    session_id: fact.person,
    visit_id: hasVisits ? fact.visit : '',
    event_id: `event-${fact.id}`,
    hostname: fact.host,
    url_path: fact.page,
    url_query: queryOf(fact, partnerTags, clicked),
    utm_source: inAddress ? '' : (utm?.source ?? ''),
    utm_medium: inAddress ? '' : (utm?.medium ?? ''),
    utm_campaign: inAddress ? '' : (utm?.campaign ?? ''),
    referrer_path: path,
    referrer_domain: domain,
    page_title: fact.title,
    gclid: clickId !== undefined && !inAddress ? 'abc' : '',
    event_type: fact.isEvent ? 2 : 1,
    event_name: fact.isEvent ? fact.name : '\\N',
    created_at: at,
  }
}

export const umami = (ways: Ways): VisitsFormat => ({
  name: 'umami',
  title: `Umami ${JSON.stringify(ways)}`,
  cuts: false,
  estimates: true,
  isUnordered: true,
  says: facts => {
    // In a table of its own a visitor has one browser.
    const visitors = new Map(facts.map(fact => [fact.person, fact]))
    const visitor = (fact: Fact): Fact => (ways.isSplit ? (visitors.get(fact.person) ?? fact) : fact)
    return facts.map(fact => ({
      ...fact,
      place: visitor(fact).place,
      screen: visitor(fact).screen,
      language: visitor(fact).language,
      visit: ways.hasVisits ? fact.visit : fact.person,
      seconds: null,
      scroll: null,
      value: null,
      isBot: false,
      properties: ways.isSplit ? fact.properties : {},
      client: {
        ...visitor(fact).client,
        version: null,
        osVersion: visitor(fact).client.os === 'Windows' ? '10' : null,
      },
    }))
  },
  write: (facts, zone) => {
    const rows = facts.map(fact => ({
      ...rowOf(fact, fact.id % 2 === 0 ? localTime(fact.at, zone) : offsetTime(fact.at, fact.id), ways),
      ...(!ways.isSplit && visitorOf(fact)),
    }))
    const [first] = rows
    if (first === undefined) throw new Error('there are no rows')
    const others = ways.hasSites ? [{ ...first, website_id: 'site-2', event_id: 'other', session_id: 'other' }] : []
    const noise = [
      { ...first, website_id: 'site-1', event_id: 'link', event_type: 3 },
      { ...first, website_id: 'site-1', event_id: 'speed', event_type: 5 },
      { ...first, website_id: 'site-1', event_id: 'none', event_type: 10 },
    ]
    const properties = [...new Map(facts.map(fact => [fact.id, fact])).values()].flatMap(fact =>
      Object.entries(fact.isEvent ? fact.properties : {}).map(([key, value]) => ({
        event_data_id: `${fact.id} ${key}`,
        website_event_id: `event-${fact.id}`,
        data_key: key,
        string_value: /^\d/.test(value) ? '' : value,
        number_value: /^\d/.test(value) ? `${value}000` : '',
        date_value: '',
        data_type: /^\d/.test(value) ? 2 : 1,
      })),
    )
    return {
      files: {
        'website_event.csv': csv([...rows, ...others, ...noise]),
        ...(ways.isSplit && {
          'session.csv': csv(
            [...new Map(facts.map(fact => [fact.person, fact]))].map(([person, fact]) => ({
              session_id: person,
              ...visitorOf(fact),
            })),
          ),
        }),
        ...(ways.isSplit && properties.length > 0 && { 'event_data.csv': csv(properties) }),
      },
      flags: [...(ways.hasSites ? ['--site', 'site-1'] : []), '--source-timezone', zone],
      refused: { 'event_type is not a number from 1 to 9': 1 },
      notImported: () => ({ 'links, pixels and measurements of performance': 2 }),
    }
  },
})
