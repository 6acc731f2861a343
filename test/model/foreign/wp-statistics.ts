import { arrivals, type Fact, nowhere } from '../histories.ts'
import { clicked, csv, localTime, partnerTags, queryOf, type VisitsFormat } from './file.ts'

const isUnknown = ({ visit }: Fact): boolean => visit.endsWith('6')

const uriOf = (fact: Fact): string => `${fact.page}${queryOf(fact, `?${partnerTags}`, `?${clicked}`)}`

/** A visitor has the source of its first view. */
const firsts = (facts: readonly Fact[]): Map<string, Fact> => {
  const found = new Map<string, Fact>()
  for (const fact of facts) {
    const known = found.get(fact.visit)
    if (known === undefined || fact.at < known.at) found.set(fact.visit, fact)
  }
  return found
}

const referredOf = ({ arrival }: Fact): string => arrivals[arrival].referrer

export const wpStatistics: VisitsFormat = {
  name: 'wp-statistics',
  title: 'WP Statistics',
  cuts: true,
  estimates: true,
  isUnordered: true,
  says: given => {
    const facts = given.filter(({ isEvent }) => !isEvent)
    const first = firsts(facts)
    return facts.map(fact => {
      const visitor = first.get(fact.visit) ?? fact
      const referred = isUnknown(fact) ? '' : referredOf(visitor)
      const inAddress =
        fact.arrival === 'partner' ? 'partner' : fact.arrival === 'paidInAddress' ? 'paidInAddress' : null
      const byReferrer = (Object.keys(arrivals) as (keyof typeof arrivals)[]).find(
        name => !('inAddress' in arrivals[name]) && arrivals[name].utm === null && arrivals[name].referrer === referred,
      )
      const arrival =
        inAddress === 'paidInAddress' && referred === '' ? 'direct' : (inAddress ?? byReferrer ?? 'direct')
      return {
        ...fact,
        arrival: arrival === 'paid' ? 'search' : arrival,
        person: fact.visit,
        host: 'example.org',
        title: null,
        seconds: null,
        scroll: null,
        place: isUnknown(fact) ? nowhere : fact.place,
        client: isUnknown(fact)
          ? { device: 'other', browser: null, version: null, os: null, osVersion: null }
          : { ...fact.client, osVersion: null },
        screen: null,
        language: null,
        isBot: fact.isBot && !isUnknown(fact),
      }
    })
  },
  write: (given, zone) => {
    const facts = given.filter(({ isEvent }) => !isEvent)
    const uris = [...new Set(facts.map(uriOf))]
    const pages = uris.map((uri, index) => ({
      page_id: index + 1,
      uri,
      type: 'page',
      date: '2026-03-27',
      count: 1,
      id: 0,
    }))
    const visitors = [...firsts(facts).values()]
      .filter(fact => !isUnknown(fact))
      .map(fact => ({
        ID: fact.visit,
        last_counter: localTime(fact.at, zone).slice(0, 10),
        referred: referredOf(fact),
        agent: fact.client.browser,
        platform: fact.client.os === 'Linux' ? 'GNU/Linux' : fact.client.os,
        version: `${fact.client.version}.0.0`,
        device: fact.client.device,
        ip: 'secret',
        location: fact.place.country ?? '000',
        city: fact.place.city,
        region: fact.place.region,
        hits: 1,
        honeypot: Number(fact.isBot),
      }))
    const views = facts.map(fact => ({
      ID: fact.id,
      visitor_id: fact.visit,
      page_id: uris.indexOf(uriOf(fact)) + 1,
      date: localTime(fact.at, zone),
    }))
    return {
      files: {
        'relationships.csv': csv([
          ...views,
          { ID: 'none', visitor_id: 'x', page_id: 999, date: '2026-03-28 10:00:00' },
        ]),
        'pages.csv': csv(pages),
        ...(visitors.length > 0 && { 'visitors.csv': csv(visitors) }),
      },
      flags: ['--source-timezone', zone],
      refused: { 'its page is not in the table of pages': 1 },
    }
  },
}
