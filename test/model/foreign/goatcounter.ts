import { firefox, phone } from '../../support/service.ts'
import { type ArrivalName, type Client, type Fact, nowhere } from '../histories.ts'
import { clicked, csv, partnerTags, queryOf, type VisitsFormat } from './file.ts'

const agents: readonly (readonly [agent: string, client: Client])[] = [
  [firefox, { device: 'desktop', browser: 'Firefox', version: '140', os: 'Linux', osVersion: null }],
  [phone, { device: 'mobile', browser: 'Safari', version: '18', os: 'iOS', osVersion: '18' }],
]
const agentOf = ({ client }: Fact) => agents[client.device === 'desktop' ? 0 : 1] ?? agents[0]

const deviceOf = (width: number): string =>
  width === 0 ? 'other' : width < 768 ? 'mobile' : width < 1200 ? 'tablet' : 'desktop'

/** It has names for large sites, and keeps a campaign by one word. */
const arrivalOf = ({ arrival, isEvent, id }: Fact): ArrivalName => {
  if (arrival === 'mail') return 'newsletter'
  if (arrival === 'paid' || arrival === 'search') return id % 2 === 0 ? 'search' : 'named'
  // An event has no address.
  return isEvent && (arrival === 'partner' || arrival === 'paidInAddress') ? 'direct' : arrival
}

const referrers: Readonly<Partial<Record<ArrivalName, readonly [referrer: string, scheme: string]>>> = {
  own: ['example.org/before', 'h'],
  search: ['www.google.com', 'h'],
  named: ['Google', 'g'],
  blog: ['blog.example.net/post', 'h'],
  newsletter: ['newsletter', 'c'],
  paidInAddress: ['https://www.google.com/', 'h'],
  spam: ['semalt.com', 'h'],
}

/** Two rows of a session with the same cells are one. */
const rowKey = (fact: Fact): string =>
  JSON.stringify([
    fact.isEvent ? fact.name : `${fact.page} ${queryOf(fact, '1', '2')}`,
    fact.visit,
    fact.at,
    fact.isEvent,
    fact.arrival,
  ])

export const goatcounter = (version: 1 | 2): VisitsFormat => ({
  name: 'goatcounter',
  title: `GoatCounter ${version}`,
  cuts: true,
  estimates: true,
  isUnordered: true,
  says: given => {
    const rows = new Map<string, number>()
    return given.map(fact => {
      const arrival = arrivalOf(fact)
      const width = Number(fact.screen?.split('x')[0] ?? 0)
      const said: Fact = {
        ...fact,
        arrival,
        person: fact.visit,
        host: 'example.org',
        page: fact.isEvent ? null : fact.page,
        seconds: null,
        scroll: null,
        properties: {},
        value: null,
        language: null,
        place: fact.place.country === null ? nowhere : { ...fact.place, city: null },
        client: version === 1 ? (agentOf(fact)?.[1] ?? fact.client) : { ...fact.client, device: deviceOf(width) },
      }
      const key = rowKey(said)
      const id = rows.get(key) ?? fact.id
      rows.set(key, id)
      return { ...said, id }
    })
  },
  write: facts => ({
    files: {
      'export.csv': csv(
        facts.map(fact => {
          const arrival = arrivalOf(fact)
          const [referrer = '', scheme = ''] = referrers[arrival] ?? []
          const [width = 0, height = 0] = fact.screen?.split('x') ?? []
          const query = queryOf({ ...fact, arrival }, `?${partnerTags}`, `?${clicked}`)
          const { browser, version: major, os, osVersion } = fact.client
          const more = { Browser: `${browser} ${major}`, System: `${os}${osVersion === null ? '' : ` ${osVersion}`}` }
          return {
            [`${version}Path`]: fact.isEvent ? fact.name : `${fact.page}${query}`,
            Title: fact.title,
            Event: version === 2 ? Number(fact.isEvent) : String(fact.isEvent),
            UserAgent: '',
            ...(version === 1 ? { Browser: agentOf(fact)?.[0] ?? '' } : more),
            Session: fact.visit,
            Bot: fact.isBot ? (fact.id % 2 === 0 ? 1 : 3) : fact.id % 3 === 0 ? '' : 0,
            Referrer: referrer,
            'Referrer scheme': scheme,
            'Screen size': `${width},${height},1`,
            Location: fact.place.region ?? fact.place.country ?? '',
            FirstVisit: 1,
            Date: new Date(fact.at * 1000).toISOString().replace('.000Z', 'Z'),
          }
        }),
      ),
    },
  }),
})
