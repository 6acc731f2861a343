// Visits made at random, and what a segment of them is, written from the contract's text (api.md §4) as plain loops.
import fc from 'fast-check'
import { sendRecord } from '../support/records.ts'
import { firefox, phone, type Running } from '../support/service.ts'
import { createCalendar } from './rules.ts'

export const zone = 'Europe/Berlin'
const { dayOf } = createCalendar(zone)

const local = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', weekday: 'short', hourCycle: 'h23' })
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The hour and weekday at a moment, as the keys of reports. */
const clockOf = (second: number): { hour: string; weekday: string } => {
  const parts = Object.fromEntries(local.formatToParts(second * 1000).map(({ type, value }) => [type, value]))
  return { hour: parts.hour ?? '', weekday: String(weekdays.indexOf(parts.weekday ?? '') + 1) }
}

export type View = {
  second: number
  host: string
  page: string
  seconds: number | null
  scroll: number | null
  id: string
}
export type Happening = { second: number; name: string; plan: string | null }
export type Visit = { who: string; dims: Dims; views: View[]; events: Happening[] }

/** What reports know a visit by; null for unknown. */
type Dims = Record<
  | 'continent'
  | 'country'
  | 'device'
  | 'browser'
  | 'browser_version'
  | 'os'
  | 'screen'
  | 'hour'
  | 'weekday'
  | 'language'
  | 'channel'
  | 'source'
  | 'utm_source'
  | 'utm_medium'
  | 'utm_campaign'
  | 'utm_term',
  string | null
>

const agents = [
  { header: firefox, known: { device: 'desktop', browser: 'Firefox', browser_version: 'Firefox 140', os: 'Linux' } },
  { header: phone, known: { device: 'mobile', browser: 'Safari', browser_version: 'Safari 18', os: 'iOS' } },
]
/** The third part of the address is the visitor's own, because visitors are distinguished by their networks. */
const places = [
  { addressOf: (n: number) => `81.2.${69 + n}.1`, country: 'GB', continent: 'EU' },
  { addressOf: (n: number) => `10.0.${n}.1`, country: null, continent: null },
]
const noCampaign = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null }
const arrivals = [
  { query: '', referrer: undefined, known: { channel: 'Direct', source: 'Direct', ...noCampaign } },
  {
    query: '',
    referrer: 'https://www.google.com/',
    known: { channel: 'Organic Search', source: 'Google', ...noCampaign },
  },
  {
    query: '',
    referrer: 'https://news.example/a',
    known: { channel: 'Referral', source: 'news.example', ...noCampaign },
  },
  {
    query: '?utm_source=Spring&utm_medium=email&utm_campaign=Sale',
    referrer: undefined,
    known: {
      ...{ channel: 'Email', source: 'Spring', utm_source: 'Spring', utm_medium: 'email' },
      ...{ utm_campaign: 'Sale', utm_term: null },
    },
  },
  {
    query: '?utm_source=Spring&utm_medium=email&utm_term=Shoes',
    referrer: undefined,
    known: {
      ...{ channel: 'Email', source: 'Spring', utm_source: 'Spring', utm_medium: 'email' },
      ...{ utm_campaign: null, utm_term: 'Shoes' },
    },
  },
]
const languages = ['de-DE', 'fr', null]
const screens = ['800x600', null]
const plans = ['pro', 'free', null]
const pages = ['/', '/a', '/b', '/c,d', '/!e']
const hosts = ['shop.example', 'blog.example']
const names = ['signup', 'download', 'not_found']

/** Noon of days around the change of clocks; and shortly before midnight, so that visits go over it. */
const starts = [
  '2026-03-27T11:00:00Z',
  '2026-03-28T22:40:00Z',
  '2026-03-29T01:10:00Z',
  '2026-03-29T11:00:00Z',
  '2026-03-29T21:50:00Z',
  '2026-03-30T12:00:00Z',
  '2026-03-30T21:45:00Z',
]

const step = fc.record({
  pause: fc.constantFrom(1, 20, 200, 900, 1700),
  host: fc.constantFrom(...hosts),
  page: fc.constantFrom(...pages),
  event: fc.option(fc.constantFrom(...names), { freq: 3 }),
  plan: fc.constantFrom(...plans),
  seconds: fc.option(fc.integer({ min: 0, max: 60 })),
  scroll: fc.option(fc.integer({ min: 0, max: 100 })),
})
const visit = fc.record({
  agent: fc.constantFrom(...agents),
  place: fc.constantFrom(...places),
  arrival: fc.constantFrom(...arrivals),
  language: fc.constantFrom(...languages),
  screen: fc.constantFrom(...screens),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
})

type Sent = Visit & { header: string; address: string; query: string; referrer: string | undefined }

/** In each slot every visitor makes at most one visit, and the slots are hours apart. */
export const makeVisits = (): Sent[] =>
  starts.flatMap((start, slot) =>
    fc
      .sample(visit, { numRuns: 14, seed: 7 + slot })
      .map(({ agent, place, arrival, language, screen, steps }, index) => {
        const began = Date.parse(start) / 1000 + index
        const address = place.addressOf(index)
        const made: Sent = {
          who: `${address} ${agent.header}`,
          dims: {
            ...{ country: place.country, continent: place.continent, language, screen },
            ...agent.known,
            ...arrival.known,
            ...clockOf(began),
          },
          views: [],
          events: [],
          header: agent.header,
          address,
          query: arrival.query,
          referrer: arrival.referrer,
        }
        let second = began
        steps.forEach(({ pause, host, page, event, plan, seconds, scroll }, at) => {
          second += at === 0 ? 0 : pause
          const read = seconds === null ? null : scroll
          made.views.push({ second, host, page, seconds, scroll: read, id: `view-of-slot-${slot}-${index}-${at}` })
          if (event !== null) made.events.push({ second, name: event, plan })
        })
        return made
      }),
  )

/** Sends everything in the order in which it happened. */
export const sendVisits = async ({ clock, service, settled }: Running, visits: readonly Sent[]): Promise<void> => {
  const requests = visits.flatMap(({ header, address, query, referrer, dims, views, events }) => {
    const about = { header, address }
    return [
      ...views.map(({ second, host, page, id }, at) => ({
        ...about,
        second,
        route: 'hit',
        body: {
          page_url: `https://${host}${page}${at === 0 ? query : ''}`,
          pvid: id,
          ...(at === 0 && referrer !== undefined && { referrer }),
          ...(dims.language !== null && { language: dims.language }),
          ...(dims.screen !== null && { screen_width: 800, screen_height: 600 }),
        },
      })),
      ...views.flatMap(({ second, seconds, scroll, id }) =>
        seconds === null
          ? []
          : [
              {
                ...about,
                second,
                route: 'engagement',
                body: { pvid: id, engagement_time: seconds, ...(scroll !== null && { scroll_depth: scroll }) },
              },
            ],
      ),
      ...events.map(({ second, name, plan }) => ({
        ...about,
        second,
        route: 'event',
        body: { name, ...(plan !== null && { properties: { plan } }) },
      })),
    ]
  })
  for (const { header, address, second, route, body } of requests.sort((a, b) => a.second - b.second)) {
    clock.now = second * 1000
    const { status } = await sendRecord(`${service.url}/analytics/v1/${route}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'text/plain', 'user-agent': header, 'x-forwarded-for': address },
    })
    if (status !== 204) throw new Error(`${route} was answered with ${status}`)
  }
  await settled()
  await settled()
}

export type Filters = Record<string, { included: boolean; values: readonly string[] }>

/** As a query string writes it. */
export const queryOf = (filters: Filters): string =>
  Object.entries(filters)
    .map(
      ([key, { included, values }]) =>
        `&${key}=${encodeURIComponent(`${included ? '' : '!'}${values.map(value => value.replaceAll(/[,!]/g, '\\$&')).join(',')}`)}`,
    )
    .join('')

/** Whether a value is the wanted one, or begins and ends like a pattern with one `*`. */
export const matches = (wanted: string, value: string): boolean => {
  const [begin = '', end] = wanted.split('*')
  return end === undefined
    ? wanted === value
    : value !== '' && value.length >= begin.length + end.length && value.startsWith(begin) && value.endsWith(end)
}

/** A leading `www.` of a wanted host makes no difference. */
const isOf = (filters: Filters, key: string, value: string | null | undefined): boolean => {
  const filter = filters[key]
  return (
    filter === undefined ||
    filter.values
      .map(one => (key === 'host' ? one.replace(/^www\./, '') : one))
      .some(one => matches(one.toLowerCase(), (value ?? '').toLowerCase())) === filter.included
  )
}

/** Whether a page is a wanted one: by its path, or by host and path. */
const isOfPages = (filters: Filters, key: string, view: View | undefined): boolean => {
  const filter = filters[key]
  const { host = '', page = '' } = view ?? {}
  return (
    filter === undefined ||
    filter.values.some(one => matches(one, page) || (!/^[/*]/.test(one) && matches(one, `${host}${page}`))) ===
      filter.included
  )
}

/**
 * A visit as far as the segment goes: all that fits but views of other pages and hosts. Under a host filter it began and
 * ended only if it did so on such a host, and pages and events are those of these hosts. Who is `held` to the pages sees
 * no events on others, and filters entries and exits by these pages only.
 */
export const select = (visits: readonly Visit[], filters: Filters, held = false) =>
  visits.flatMap(visit => {
    const isOfHosts = (view: View | undefined): boolean => isOf(filters, 'host', view?.host)
    const isShown = (view: View | undefined): boolean => isOfHosts(view) && (!held || isOfPages(filters, 'page', view))
    const isHere = ({ second }: Happening): boolean => isShown(visit.views.findLast(view => view.second <= second))
    const { dims, views } = visit
    const events = visit.events.filter(isHere)
    const [first, last] = [views[0], views.at(-1)]
    const { event, 'property.plan': plan } = filters
    const isNamed = (name: string): boolean => event?.values.some(one => matches(one, name)) === true
    const holdsEvent = event === undefined || events.some(({ name }) => isNamed(name)) === event.included
    const asked = events.filter(({ name }) => event?.included !== true || isNamed(name))
    const holdsPlan =
      plan === undefined || asked.some(one => one.plan !== null && plan.values.includes(one.plan)) === plan.included
    const fits =
      holdsEvent &&
      holdsPlan &&
      Object.entries(dims).every(([key, value]) => isOf(filters, key, value)) &&
      (filters.entry_page === undefined || (isOfPages(filters, 'entry_page', first) && isShown(first))) &&
      (filters.exit_page === undefined || (isOfPages(filters, 'exit_page', last) && isShown(last)))
    const seen = views.filter(view => isOfPages(filters, 'page', view) && isOfHosts(view))
    return fits && seen.length > 0 ? [{ visit, seen, events, began: isOfHosts(first), ended: isOfHosts(last) }] : []
  })

const distinct = (values: readonly string[]): number => new Set(values).size
const isBounce = ({ views, events }: Visit): boolean =>
  views.length === 1 && events.every(({ name }) => name === 'not_found')

/** Each report's rows over some days, by key. */
export const expect = (visits: readonly Visit[], filters: Filters, days: readonly string[]) => {
  const selected = select(visits, filters)
  const within = (second: number): boolean => days.includes(dayOf(second))
  const onDays = selected.filter(({ visit }) => within(visit.views[0]?.second ?? 0))
  const begun = onDays.filter(({ began }) => began)
  const ended = onDays.filter(one => one.ended)
  const views = selected.flatMap(({ visit, seen }) =>
    seen.filter(({ second }) => within(second)).map(view => ({ ...view, visit, day: dayOf(view.second) })),
  )
  const figures = (of: typeof views, sessions: typeof begun) => ({
    visitors: distinct(of.map(({ visit, day }) => `${day} ${visit.who}`)),
    sessions: sessions.length,
    views: of.length,
    bounces: sessions.filter(({ visit }) => isBounce(visit)).length,
  })
  const by = (keyOf: (visit: Visit) => string | null) => {
    const keys = [...new Set([...begun, ...views].map(({ visit }) => keyOf(visit)))]
    return new Map(
      keys.map(key => [
        key,
        figures(
          views.filter(({ visit }) => keyOf(visit) === key),
          begun.filter(({ visit }) => keyOf(visit) === key),
        ),
      ]),
    )
  }
  const nameOf = (view: View | undefined): string => `${view?.host}${view?.page}`
  const pages = new Map(
    [...new Set(views.map(nameOf))].map(page => {
      const here = views.filter(view => nameOf(view) === page)
      const entered = begun.filter(({ visit }) => nameOf(visit.views[0]) === page)
      return [
        page,
        {
          ...figures(here, entered),
          sessions: distinct(here.map(({ visit, day }) => `${day} ${visit.views[0]?.id}`)),
          entries: entered.length,
          exits: ended.filter(({ visit }) => nameOf(visit.views.at(-1)) === page).length,
          total_duration: here.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
        },
      ]
    }),
  )
  const events = selected.flatMap(one =>
    one.events
      .filter(({ second }) => within(second))
      .map(event => ({ ...event, visit: one.visit, day: dayOf(event.second) })),
  )
  const entryHost = ({ visit }: (typeof begun)[number]): string => visit.views[0]?.host ?? ''
  const byHost = new Map(
    [...new Set([...views.map(({ host }) => host), ...begun.map(entryHost)])].map(host => [
      host,
      figures(
        views.filter(view => view.host === host),
        begun.filter(one => entryHost(one) === host),
      ),
    ]),
  )
  return {
    totals: { ...figures(views, begun), total_duration: views.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0) },
    pages,
    by,
    byHost,
    exits: ended.length,
    events: new Map(
      [...new Set(events.map(({ name }) => name))].map(name => {
        const here = events.filter(event => event.name === name)
        return [
          name,
          { total: here.length, sessions: distinct(here.map(({ visit, day }) => `${day} ${visit.views[0]?.id}`)) },
        ]
      }),
    ),
  }
}
