// What an import of single views and events must come to, said from docs/moving.md alone: lists and loops over the rows of
// a file. The archive of the database that it came into is compared with it.
import fc from 'fast-check'
import { createCalendar } from './rules.ts'

/** How a visit came, and what it is counted as. */
export type Arrival = {
  referrer: string
  utm: { source: string; medium: string | null; campaign: string | null } | null
  /** Whether the address of the page has the tags, and not a column. */
  inAddress?: boolean
  clickId?: string
  counts: { channel: string; source: string; domain: string | null } | 'spam'
}

const direct = { channel: 'Direct', source: 'Direct', domain: null }
const google = { source: 'Google', domain: 'google.com' }
const tags = { source: 'Partner', medium: 'affiliate', campaign: 'May' }

export const arrivals = {
  direct: { referrer: '', utm: null, counts: direct },
  own: { referrer: 'https://example.org/before', utm: null, counts: direct },
  search: { referrer: 'https://www.google.com/', utm: null, counts: { channel: 'Organic Search', ...google } },
  blog: {
    referrer: 'https://blog.example.net/post',
    utm: null,
    counts: { channel: 'Referral', source: 'blog.example.net', domain: 'blog.example.net' },
  },
  mail: {
    referrer: '',
    utm: { source: 'News', medium: 'email', campaign: 'Spring' },
    counts: { channel: 'Email', source: 'News', domain: null },
  },
  partner: {
    referrer: '',
    utm: tags,
    inAddress: true,
    counts: { channel: 'Referral', source: 'Partner', domain: null },
  },
  paid: {
    referrer: 'https://www.google.com/',
    utm: null,
    clickId: 'gclid',
    counts: { channel: 'Paid Search', ...google },
  },
  paidInAddress: {
    referrer: 'https://www.google.com/',
    utm: null,
    clickId: 'gclid',
    inAddress: true,
    counts: { channel: 'Paid Search', ...google },
  },
  spam: { referrer: 'https://semalt.com/', utm: null, counts: 'spam' },
  /** What programs name that have no address of it. */
  named: { referrer: 'Google', utm: null, counts: { channel: 'Organic Search', source: 'Google', domain: null } },
  newsletter: {
    referrer: '',
    utm: { source: 'newsletter', medium: null, campaign: null },
    counts: { channel: 'Email', source: 'newsletter', domain: null },
  },
} as const satisfies Record<string, Arrival>
export type ArrivalName = keyof typeof arrivals

/** Those that every program could have. */
const commonArrivals = ['direct', 'search', 'blog', 'mail', 'partner', 'paid', 'paidInAddress', 'spam'] as const

export type Client = {
  device: string
  browser: string | null
  version: string | null
  os: string | null
  osVersion: string | null
}

export const clients: readonly Client[] = [
  { device: 'desktop', browser: 'Chrome', version: '145', os: 'Windows', osVersion: '10' },
  { device: 'desktop', browser: 'Firefox', version: '148', os: 'Linux', osVersion: null },
  { device: 'mobile', browser: 'Safari', version: '26', os: 'iOS', osVersion: '26' },
  { device: 'tablet', browser: 'Samsung Internet', version: '29', os: 'Android', osVersion: '16' },
]

export type Place = { continent: string | null; country: string | null; region: string | null; city: string | null }

export const nowhere: Place = { continent: null, country: null, region: null, city: null }
export const places: readonly Place[] = [
  nowhere,
  { continent: 'EU', country: 'DE', region: 'DE-BY', city: 'Munich' },
  { continent: 'NA', country: 'US', region: 'US-TX', city: null },
]

/** A row of a view or event, in words that no program uses. */
export type Fact = {
  /** One that comes twice is one row twice. */
  id: number
  visit: string
  person: string
  at: number
  isEvent: boolean
  /** Null for an event without a page. */
  page: string | null
  host: string
  title: string | null
  seconds: number | null
  scroll: number | null
  name: string
  properties: Record<string, string>
  value: number | null
  arrival: ArrivalName
  place: Place
  client: Client
  screen: string | null
  language: string | null
  isBot: boolean
}

/** Moments around midnight, the change of clocks and today. */
export const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const

const first = Date.parse('2026-03-27T00:00:00Z') / 1000
/** The third evening is before a day of 23 hours in Berlin. The last day is not over, the next one begins tomorrow. */
export const now = '2026-04-01T15:00:00Z'

const begin = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 3 * 86_400 }) },
  // Before midnight in the zones above.
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(4, 18.5, 22, 23, 24), fc.integer({ min: 0, max: 5 }))
      .map(([day, hour, tenths]) => (day * 24 + hour) * 3600 - tenths * 600),
  },
  // Today, tomorrow, and later.
  { weight: 1, arbitrary: fc.constantFrom(5, 6, 7, 8).map(day => day * 86_400 + 43_200) },
)

const pause = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 20, 300) },
  { weight: 4, arbitrary: fc.constantFrom(1200, 1799, 1800, 1801, 2400, 3600) },
  { weight: 1, arbitrary: fc.constantFrom(5400, 50_000) },
)

/** Around the widths of which programs make devices. */
const screens = [null, '390x844', '767x900', '768x900', '1199x800', '1200x800', '1920x1080']
const classOf = (screen: string | null): string | null =>
  ['360-429', '430-767', '768-1023', '1024-1279', '1024-1279', '1920+'][screens.indexOf(screen) - 1] ?? null

const action = fc.record({
  pause,
  isEvent: fc.constantFrom(false, false, false, true),
  page: fc.constantFrom('/', '/a', '/b/c', '/über-uns', '/p, "q"; x'),
  title: fc.constantFrom(null, 'Home', 'A, "b"; c\td'),
  seconds: fc.constantFrom(null, null, 0, 1, 30, 1799, 1800, 2500, 90_000),
  scroll: fc.constantFrom(null, null, 0, 50, 99, 100, 101),
  name: fc.constantFrom('signup', 'not_found', 'download'),
  properties: fc.constantFrom({}, { plan: 'pro' }, { plan: 'free', of: 'a, b', size: '12.5' }),
  value: fc.constantFrom(null, 0, 12, 2.5),
})

const visit = fc.record({
  begin,
  actions: fc.array(action, { minLength: 1, maxLength: 6 }),
  arrival: fc.constantFrom(...commonArrivals),
  /** Few people, who come again. */
  person: fc.integer({ min: 0, max: 3 }),
  place: fc.constantFrom(...places),
  client: fc.constantFrom(...clients),
  screen: fc.constantFrom(...screens),
  language: fc.constantFrom(null, 'de-DE', 'en'),
  host: fc.constantFrom('example.org', 'example.org', 'example.org', 'example.org', 'example.org', 'shop.example.net'),
  isBot: fc.constantFrom(false, false, false, false, false, true),
})

/** Visits as rows in the order of their times. */
export const histories: fc.Arbitrary<Fact[]> = fc
  .array(visit, { minLength: 1, maxLength: 14, size: 'max' })
  .map(visits =>
    visits
      .flatMap(({ begin, actions, person, arrival, ...attributes }, number) => {
        let at = first + begin
        return actions.map(({ pause, ...rest }, index): Fact => {
          at += index === 0 ? 0 : pause
          return {
            id: number * 100 + index,
            ...attributes,
            ...rest,
            visit: `visit-${number}`,
            person: `person-${person}`,
            at,
            // Within the site the page before is the referrer.
            arrival: index === 0 ? arrival : 'own',
          }
        })
      })
      .sort((a, b) => a.at - b.at),
  )

type Rules = {
  zone: string
  /** Whether a visit ends after 30 minutes. */
  cuts: boolean
  /** Whether the time on a page is that until the next. */
  estimates: boolean
  /** Days that have data, and the bounds that flags set. */
  own?: readonly string[]
  /** Of a row with several views: its name. */
  rowOf?: ((fact: Fact) => string) | undefined
  /** Such rows that come twice. */
  again?: readonly string[] | undefined
  from?: string | undefined
  to?: string | undefined
}

const halfHour = 1800
const tooLate = 'its date is before 2000 or after tomorrow'

const before = (a: Fact, b: Fact): number => a.at - b.at
const timeText = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z')

/** What a view counts as its time. */
const secondsOf = ({ isEvent, seconds }: Fact): number =>
  isEvent || seconds === null ? 0 : Math.min(Math.round(seconds), 86_400)

const cut = (facts: readonly Fact[]): Fact[][] => {
  const parts: Fact[][] = []
  let end = -1
  for (const fact of facts) {
    if (parts.length === 0 || fact.at > end + halfHour) parts.push([])
    parts.at(-1)?.push(fact)
    end = Math.max(end, fact.at + secondsOf(fact))
  }
  return parts
}

/** Until the next view, or the last event before it; the time on a last page without events is unknown. */
const estimate = (facts: readonly Fact[]): Fact[] =>
  facts.map((fact, index) => {
    if (fact.isEvent) return fact
    const later = facts.slice(index + 1)
    const next = later.findIndex(({ isEvent }) => !isEvent)
    const until = next >= 0 ? later[next] : later.at(-1)
    return { ...fact, seconds: until === undefined ? null : Math.min(until.at - fact.at, halfHour) }
  })

const viewLine = (fact: Fact) => ({
  time: timeText(fact.at),
  host: fact.host,
  page: fact.page,
  title: fact.title?.replace('\t', ' ') ?? null,
  seconds: fact.seconds === null ? null : secondsOf(fact),
  scroll: fact.scroll === null ? null : Math.min(Math.round(fact.scroll), 100),
})

const eventLine = (fact: Fact) => ({
  time: timeText(fact.at),
  host: fact.page === null ? null : fact.host,
  page: fact.page,
  name: fact.name,
  value: fact.value,
  properties: fact.properties,
})

const visitLine = (facts: readonly Fact[]) => {
  const views = facts.filter(({ isEvent }) => !isEvent)
  const events = facts.filter(({ isEvent }) => isEvent)
  const [start, entry, exit] = [facts[0], views[0], views.at(-1)]
  if (start === undefined || entry === undefined || exit === undefined) return null
  const { arrival, place, client, screen, language } = start
  const { counts, utm }: Arrival = arrivals[arrival]
  return {
    started_at: timeText(start.at),
    ended_at: timeText(Math.max(...facts.map(fact => fact.at + secondsOf(fact)))),
    views: views.length,
    events: events.filter(({ name }) => name !== 'not_found').length,
    entry: `${entry.host}${entry.page}`,
    exit: `${exit.host}${exit.page}`,
    // An event is no arrival, so that one from a spammer's page is kept.
    ...(counts === 'spam' ? { channel: 'Referral', source: 'semalt.com', domain: 'semalt.com' } : counts),
    utm: utm === null ? [null, null, null] : [utm.source, utm.medium, utm.campaign],
    ...place,
    // Browsers have frozen what they say of Windows.
    client: [
      client.device,
      client.browser,
      client.version,
      client.os,
      client.os === 'Windows' ? null : client.osVersion,
    ],
    screen: classOf(screen),
    language: language?.slice(0, 2) ?? null,
    hits: [...views.map(viewLine), ...events.map(eventLine)].map(line => JSON.stringify(line)).sort(),
  }
}

const add = (counts: Record<string, number>, key: string, count = 1): void => {
  counts[key] = (counts[key] ?? 0) + count
}

const sorted = (values: readonly unknown[]): string[] => values.map(value => JSON.stringify(value)).sort()

/** The rows of a file, in their order, as they come to lie in the database. */
export const expectVisits = (
  rows: readonly Fact[],
  { zone, cuts, estimates, own = [], rowOf, again, from, to }: Rules,
) => {
  const { dayOf } = createCalendar(zone)
  const today = dayOf(Date.parse(now) / 1000)
  const tomorrow = dayOf(Date.parse(now) / 1000 + 86_400)
  const skipped: Record<string, Set<string>> = {}
  const ledger: Record<string, Record<string, number>> = {}
  const refused: Record<string, number> = {}
  const known = new Set<number>()
  const facts = rows.filter(({ id }) => !known.has(id) && known.add(id))
  const nameOf = rowOf ?? (({ id }: Fact): string => String(id))
  const tooLateRows = new Set(facts.filter(({ at }) => dayOf(at) > tomorrow).map(nameOf))
  const names = again === undefined ? rows.map(nameOf) : [...new Set(rows.map(nameOf)), ...again]
  const readable = names.filter(name => !tooLateRows.has(name))
  if (tooLateRows.size > 0) refused[tooLate] = names.length - readable.length
  const kept = facts.filter(fact => {
    const day = dayOf(fact.at)
    if (tooLateRows.has(nameOf(fact))) return false
    if ((from !== undefined && day < from) || (to !== undefined && day > to)) return false
    const reason = day >= today ? 'not_over' : own.includes(day) ? 'own_data' : null
    if (reason !== null) {
      skipped[reason] = (skipped[reason] ?? new Set()).add(day)
      return false
    }
    const isSpam = !fact.isEvent && arrivals[fact.arrival].counts === 'spam'
    const outcome = fact.isBot ? 'bot' : fact.host !== 'example.org' ? 'foreign_host' : isSpam ? 'spam' : 'accepted'
    const ofDay = (ledger[day] ??= {})
    add(ofDay, outcome)
    return outcome === 'accepted'
  })
  // A day of which nothing was accepted does not come in.
  const days = new Set(kept.map(({ at }) => dayOf(at)))
  const written = Object.fromEntries(
    Object.entries(ledger)
      .filter(([day]) => days.has(day))
      .map(([day, counts]) => [day, { ...counts, received: Object.values(counts).reduce((sum, one) => sum + one, 0) }]),
  )
  const theirs = [...new Set(kept.map(fact => fact.visit))].map(visit =>
    kept.filter(fact => fact.visit === visit).sort(before),
  )
  const parts = theirs
    .flatMap(visit => (cuts ? cut(visit) : [visit]))
    .map(visit => (estimates ? estimate(visit) : [...visit]))
  const visits = parts.filter(visit => visit.some(({ isEvent }) => !isEvent))
  const alone = parts.filter(visit => visit.every(({ isEvent }) => isEvent)).flat()
  const all = [...visits.flat(), ...alone]
  const people = Map.groupBy(all, fact => `${dayOf(fact.at)} ${fact.person}`)
  const viewsOf = (day: string): Fact[] => visits.flat().filter(fact => !fact.isEvent && dayOf(fact.at) === day)
  const startsOn = (day: string): Fact[][] => visits.filter(([start]) => start !== undefined && dayOf(start.at) === day)
  const isBounce = (visit: readonly Fact[]): boolean =>
    visit.filter(({ isEvent }) => !isEvent).length === 1 &&
    visit.every(({ isEvent, name }) => !isEvent || name === 'not_found')
  const figures = (day: string): number[] => [
    new Set(viewsOf(day).map(({ person }) => person)).size,
    startsOn(day).length,
    viewsOf(day).length,
    startsOn(day).filter(isBounce).length,
    viewsOf(day).reduce((sum, view) => sum + secondsOf(view), 0),
  ]
  const months = (figures: (day: string) => readonly [visitors: number, visits: number, views: number]) => {
    const sums: Record<string, { visitors: number; visits: number; views: number }> = {}
    for (const day of days) {
      const [visitors, visits, views] = figures(day)
      const sum = (sums[day.slice(0, 7)] ??= { visitors: 0, visits: 0, views: 0 })
      sum.visitors += visitors
      sum.visits += visits
      sum.views += views
    }
    return sums
  }
  const source = months(day => [
    0,
    theirs.filter(([start]) => start !== undefined && dayOf(start.at) === day).length,
    kept.filter(fact => !fact.isEvent && dayOf(fact.at) === day).length,
  ])
  for (const [month, sum] of Object.entries(source))
    sum.visitors = new Set(kept.filter(({ at }) => dayOf(at).startsWith(month)).map(({ person }) => person)).size
  return {
    days: [...days].sort(),
    skipped: Object.fromEntries(Object.entries(skipped).map(([reason, on]) => [reason, [...on].sort()])),
    refused,
    isRefused: (row: string): boolean => tooLateRows.has(row),
    notCounted: Object.values(ledger).reduce<Record<string, number>>((sums, counts) => {
      for (const [outcome, requests] of Object.entries(counts)) if (outcome !== 'accepted') add(sums, outcome, requests)
      return sums
    }, {}),
    ledger: written,
    visits: sorted(visits.map(visitLine)),
    alone: sorted(alone.map(eventLine)),
    people: sorted(
      [...people.values()].map(of =>
        of.map(fact => `${timeText(fact.at)} ${fact.isEvent ? fact.name : fact.page}`).sort(),
      ),
    ),
    figures: (day: string): number[] => figures(day),
    months: { source, here: months(day => figures(day).slice(0, 3) as [number, number, number]) },
    repeated: readable.length - new Set(readable).size,
  }
}

type Line = Record<string, any>

/** The same of an archive, without days that had data before. */
export const visitsOfArchive = (text: string, own: readonly string[] = []) => {
  const lines: Line[] = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => JSON.parse(line))
    .filter(({ day }) => !own.includes(day))
  const of = (type: string): Line[] => lines.filter(line => line.type === type)
  // A visit is named on each of its days.
  const sessions = new Map(of('session').map(session => [session.id, session]))
  const view = ({ time, host, page, title, seconds, scroll }: Line) => ({ time, host, page, title, seconds, scroll })
  const event = ({ time, host, page, name, value, properties }: Line) => ({
    time,
    host,
    page,
    name,
    value,
    properties,
  })
  const hits = [...of('view'), ...of('event')]
  const line = (hit: Line) => (hit.type === 'view' ? view(hit) : event(hit))
  const ledger: Record<string, Record<string, number>> = {}
  for (const { day, outcome, requests } of of('ledger')) (ledger[day] ??= {})[outcome] = requests
  const people = Map.groupBy(hits, hit => `${hit.day} ${hit.visitor}`)
  return {
    days: [...new Set(lines.map(({ day }) => day))].sort(),
    ledger,
    visits: sorted(
      [...sessions.values()].map(session => ({
        started_at: session.started_at,
        ended_at: session.ended_at,
        views: session.views,
        events: session.events,
        entry: `${session.entry_host}${session.entry_page}`,
        exit: `${session.exit_host}${session.exit_page}`,
        channel: session.channel,
        source: session.source,
        domain: session.domain,
        utm: [session.utm_source, session.utm_medium, session.utm_campaign],
        continent: session.continent,
        country: session.country,
        region: session.region,
        city: session.city,
        client: [session.device, session.browser, session.browser_version, session.os, session.os_version],
        screen: session.screen,
        language: session.language,
        hits: hits
          .filter(hit => hit.session === session.id)
          .map(hit => JSON.stringify(line(hit)))
          .sort(),
      })),
    ),
    alone: sorted(hits.filter(hit => hit.session === null).map(line)),
    people: sorted(
      [...people.values()].map(of => of.map(hit => `${hit.time} ${hit.type === 'event' ? hit.name : hit.page}`).sort()),
    ),
    /** Visits whose visitor after midnight is not the one of their last hit. */
    misnamed: [...sessions.values()].filter(session => {
      const last = hits
        .filter(hit => hit.session === session.id)
        .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
        .at(-1)
      return last !== undefined && last.visitor !== (session.rekeyed_visitor ?? session.visitor)
    }).length,
  }
}
