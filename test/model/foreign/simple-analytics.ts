import { type Arrival, arrivals, type Fact, nowhere } from '../histories.ts'
import { clicked, csv, offsetTime, partnerTags, queryOf, type VisitsFormat } from './file.ts'

/** What is known of a browser without ids of visits. */
const profileOf = ({ place, client, screen, language }: Fact): string =>
  JSON.stringify([place.country, client, screen?.split('x')[0], language?.split('-')[0]])

/** Without ids, the first view of a visit begins one, and all that comes from the same kind of browser belongs to it. */
const byProfile = (facts: readonly Fact[]): Fact[] => {
  const visits = new Map<string, string>()
  const seen = new Set<string>()
  const rows = new Set<number>()
  return facts.map(fact => {
    const profile = profileOf(fact)
    if (!rows.has(fact.id) && !seen.has(fact.visit)) visits.set(profile, fact.visit)
    seen.add(fact.visit)
    rows.add(fact.id)
    const visit = visits.get(profile) ?? fact.visit
    return { ...fact, visit, person: visit }
  })
}

type Ways = { hasIds: boolean; isJson: boolean; time: 'added_iso' | 'added_unix' }

export const simpleAnalytics = ({ hasIds, isJson, time }: Ways): VisitsFormat => ({
  name: 'simple-analytics',
  title: `Simple Analytics ${JSON.stringify({ hasIds, isJson, time })}`,
  cuts: true,
  estimates: false,
  isUnordered: hasIds,
  says: given => {
    const facts = given.map(fact => ({
      ...fact,
      person: fact.visit,
      title: null,
      value: null,
      place: fact.place.country === null ? nowhere : { ...fact.place, region: null, city: null },
      seconds: fact.isEvent ? null : fact.seconds,
      properties: Object.fromEntries(Object.entries(fact.properties).filter(([key]) => key !== 'of')),
      // Clicks on ads are known by the address alone.
      arrival: fact.arrival === 'paid' ? ('search' as const) : fact.arrival,
    }))
    return hasIds ? facts : byProfile(facts)
  },
  write: facts => {
    const seen = new Set<string>()
    const rows = facts.map(fact => {
      const { referrer, utm, inAddress = false }: Arrival = arrivals[fact.arrival]
      const isUnique = !seen.has(fact.visit)
      seen.add(fact.visit)
      const [width = '', height = ''] = fact.screen?.split('x') ?? []
      const [language = '', region = ''] = fact.language?.split('-') ?? []
      return {
        ...(time === 'added_unix' ? { added_unix: `${fact.at}.9` } : { added_iso: offsetTime(fact.at, fact.id) }),
        hostname: fact.host,
        path: fact.page,
        query: queryOf(fact, `?${partnerTags}`, `?${clicked}`),
        is_unique: fact.id % 2 === 0 ? String(isUnique) : Number(isUnique),
        is_robot: fact.id % 3 === 0 ? String(fact.isBot) : Number(fact.isBot),
        // One of the two, as people choose.
        document_referrer: fact.id % 2 === 0 ? referrer : '',
        referrer_hostname: fact.id % 2 === 1 ? referrer.replace(/^https:\/\/([^/]+).*/, '$1') : '',
        utm_source: inAddress ? '' : (utm?.source ?? ''),
        utm_medium: inAddress ? '' : (utm?.medium ?? ''),
        utm_campaign: inAddress ? '' : (utm?.campaign ?? ''),
        scrolled_percentage: fact.scroll,
        duration_seconds: fact.seconds === null ? '' : `${fact.seconds}.${fact.id % 2 === 0 ? 0 : 4}`,
        screen_width: width,
        screen_height: height,
        device_type: fact.client.device,
        country_code: fact.place.country,
        browser_name: fact.client.browser,
        browser_version: fact.client.version === null ? '' : `${fact.client.version}.0`,
        os_name: fact.client.os === 'Linux' ? 'GNU/Linux' : fact.client.os,
        os_version: fact.client.osVersion,
        lang_language: language,
        lang_region: region,
        uuid: `uuid-${fact.id}`,
        datapoint: fact.isEvent ? fact.name : 'pageview',
        ...(hasIds && { session_id: fact.visit }),
        'metadata.plan_text': fact.properties.plan ?? '',
        'metadata.size_int': fact.properties.size ?? '',
      }
    })
    return { files: { [isJson ? 'data.json' : 'data.csv']: isJson ? JSON.stringify(rows) : csv(rows) } }
  },
})
