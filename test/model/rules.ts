// The counting rules of the contract (api.md §3 and §4), written from its text alone and as plainly as they can be
// said: lists and loops over everything that happened. What the service counts is compared with it.

export type Mode = 'cookieless' | 'full' | 'disabled-until-consent'

/** A request as it arrives; `at` is the time of arrival. */
export type Arrival = {
  kind: 'hit' | 'event' | 'engagement'
  at: number
  /** What identifies the sender: network and user agent. */
  who: string
  mode: Mode
  refusal: 'dnt' | 'gpc' | 'bot' | 'off' | null
  consent: boolean | null
  visitorId: string | null
  age: number
  /** With its host. */
  page: string
  id: string | null
  name: string
  engagedSeconds: number | null
  scroll: number | null
}

export type DayFigures = { visitors: number; sessions: number; views: number; bounces: number; seconds: number }
export type HostFigures = Omit<DayFigures, 'seconds'>
export type PageFigures = DayFigures & {
  entries: number
  exits: number
  timed: number
  scrolled: number
  scrollSum: number
}

type View = {
  at: number
  order: number
  page: string
  hash: string
  session: Session
  seconds: number | null
  scroll: number | null
}
type Session = {
  order: number
  owner: string
  firstHash: string
  start: number
  end: number
  views: View[]
  events: number
}
type KnownView = { id: string; owner: string; view: View }
type KnownEvent = { id: string; owner: string; at: number; session: Session | undefined }

const halfHour = 1800
const repeatWindow = 48 * 3600
const uniqueLength = 16
/** A record may be an hour late. */
const joinable = 3600 + halfHour

/** The calendar day of a moment, from the runtime's own calendar. */
export const createCalendar = (
  zone: string,
): { dayOf: (at: number) => string; midnightAfter: (at: number) => number } => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const days = new Map<number, string>()
  const dayOf = (at: number): string => {
    const known = days.get(at) ?? format.format(at * 1000)
    days.set(at, known)
    return known
  }
  /** The first second of the next day. */
  const midnightAfter = (at: number): number => {
    let end = at
    for (const step of [3600, 60, 1]) while (dayOf(end + step) === dayOf(at)) end += step
    return end + 1
  }
  return { dayOf, midnightAfter }
}

const distance = (session: Session, at: number): number =>
  at < session.start ? session.start - at : Math.max(0, at - session.end)

const before = (a: View, b: View): number => a.at - b.at || a.order - b.order

export const createModel = (zone: string) => {
  const { dayOf, midnightAfter } = createCalendar(zone)
  const sessions: Session[] = []
  const views: View[] = []
  const knownViews: KnownView[] = []
  const knownEvents: KnownEvent[] = []
  const ledger = new Map<string, Map<string, number>>()
  /** Days of which a salt was made, with the moment on which it is destroyed. */
  const salts = new Map<string, number>()
  const seenToday = new Set<string>()
  let order = 0

  const count = (day: string, outcome: string): void => {
    const ofDay = ledger.get(day) ?? new Map<string, number>()
    ledger.set(day, ofDay)
    for (const one of ['received', outcome]) ofDay.set(one, (ofDay.get(one) ?? 0) + 1)
  }

  const hashOf = (day: string, who: string): string => `${day} ${who}`

  /**
   * Of several sessions within 30 minutes, the nearest. Of equally near ones, which the contract leaves open, the
   * latest, then the one opened first.
   */
  const sessionOf = (owner: string, at: number): Session | undefined =>
    sessions
      .filter(one => one.owner === owner && distance(one, at) <= halfHour)
      .sort((a, b) => distance(a, at) - distance(b, at) || b.start - a.start || a.order - b.order)[0]

  /** The day before, while its salt still exists. */
  const yesterday = (at: number): string | null => {
    for (const [day, end] of salts) if (day !== dayOf(at) && end > at && day < dayOf(at)) return day
    return null
  }

  const rekey = (session: Session, owner: string, withViews: boolean): void => {
    for (const known of knownViews)
      if (known.view.session === session && known.owner === session.owner) known.owner = owner
    for (const known of knownEvents) if (known.session === session && known.owner === session.owner) known.owner = owner
    if (withViews) for (const view of session.views) if (view.hash === session.owner) view.hash = owner
    session.owner = owner
  }

  /**
   * What identifies the visitor. The first request after midnight moves the visits under way, also one that is dated
   * back to them.
   */
  const identify = ({ at: now, who, age, kind, mode, consent, visitorId }: Arrival): string | null => {
    const at = now - age
    const today = dayOf(now)
    if (!salts.has(today)) salts.set(today, midnightAfter(now) + halfHour)
    const byDay = hashOf(today, who)
    const lasting = mode === 'full' && consent !== null && visitorId !== null ? `lasting ${visitorId}` : null
    const old = yesterday(now)
    const before = old === null ? '' : hashOf(old, who)
    const goesOn = [at, now].some(time => sessionOf(before, time) !== undefined)
    // All of the visitor's visits that late records can still join go along.
    if (goesOn)
      for (const one of sessions) if (one.owner === before && one.end >= now - joinable) rekey(one, byDay, false)
    // Who only updates figures of a view nobody knows has not been seen.
    if (!seenToday.has(byDay) && !goesOn && kind === 'engagement' && lasting === null) return null
    seenToday.add(byDay)
    if (lasting === null) return byDay
    const [from, to] = consent === true ? [byDay, lasting] : [lasting, byDay]
    const moved = sessionOf(from, at)
    if (moved !== undefined) rekey(moved, to, true)
    return to
  }

  /** A view counts for the visitor hash of its own day. */
  const hashOfView = (
    { at: now, who, age, mode, consent, visitorId }: Arrival,
    owner: string,
    session: Session | undefined,
  ): string => {
    const day = dayOf(now - age)
    const lasting = mode === 'full' && consent !== null && visitorId !== null
    if (lasting || day === dayOf(now)) return owner
    // Also when the old salt is gone: a visit that went on over midnight is known to be that of its first day's hash.
    return day === yesterday(now) || session?.firstHash === hashOf(day, who) ? hashOf(day, who) : owner
  }

  const sameId = (known: { id: string; owner: string }, id: string, owner: string): boolean =>
    known.id === id && (id.length >= uniqueLength || known.owner === owner)

  const addHit = (arrival: Arrival): string => {
    const at = arrival.at - arrival.age
    const owner = identify(arrival) ?? ''
    const { id, page } = arrival
    if (id !== null && knownViews.some(known => sameId(known, id, owner) && known.view.at >= arrival.at - repeatWindow))
      return 'repeated'
    let session = sessionOf(owner, at)
    const hash = hashOfView(arrival, owner, session)
    if (session === undefined) {
      session = { order: order++, owner, firstHash: hash, start: at, end: at, views: [], events: 0 }
      sessions.push(session)
    }
    const view: View = { at, order: order++, page, hash, session, seconds: null, scroll: null }
    session.views.push(view)
    session.start = Math.min(session.start, at)
    session.end = Math.max(session.end, at)
    views.push(view)
    if (id !== null) knownViews.push({ id, owner, view })
    return 'accepted'
  }

  const addEvent = (arrival: Arrival): string => {
    const at = arrival.at - arrival.age
    const owner = identify(arrival) ?? ''
    const { id, name } = arrival
    if (id !== null && knownEvents.some(known => sameId(known, id, owner) && known.at >= arrival.at - repeatWindow))
      return 'repeated'
    const session = sessionOf(owner, at)
    if (id !== null) knownEvents.push({ id, owner, at, session })
    if (session === undefined) return 'accepted'
    session.start = Math.min(session.start, at)
    session.end = Math.max(session.end, at)
    if (name !== 'not_found') session.events += 1
    return 'accepted'
  }

  const addEngagement = (arrival: Arrival): string => {
    const at = arrival.at - arrival.age
    const owner = identify(arrival)
    const found = knownViews.findLast(
      known =>
        owner !== null &&
        known.owner === owner &&
        known.id === arrival.id &&
        known.view.at >= arrival.at - repeatWindow,
    )
    if (found === undefined) return 'unmatched'
    const { view } = found
    const raised = (before: number | null, now: number | null): number | null =>
      now === null ? before : Math.max(before ?? 0, now)
    view.seconds = raised(view.seconds, arrival.engagedSeconds)
    view.scroll = raised(view.scroll, arrival.scroll)
    const { session } = view
    if (session.owner === owner && distance(session, at) <= halfHour) {
      session.start = Math.min(session.start, at)
      session.end = Math.max(session.end, at)
    }
    return 'accepted'
  }

  const take = (arrival: Arrival): string => {
    if (arrival.refusal !== null) return arrival.refusal
    if (arrival.mode === 'disabled-until-consent' && arrival.consent !== true) return 'no_consent'
    return arrival.kind === 'hit'
      ? addHit(arrival)
      : arrival.kind === 'event'
        ? addEvent(arrival)
        : addEngagement(arrival)
  }

  const isBounce = ({ views, events }: Session): boolean => views.length === 1 && events === 0
  const sum = (numbers: (number | null)[]): number => numbers.reduce<number>((total, one) => total + (one ?? 0), 0)
  const distinct = (values: unknown[]): number => new Set(values).size

  const day = (of: string): DayFigures => {
    const seen = views.filter(view => dayOf(view.at) === of)
    const begun = sessions.filter(session => dayOf(session.start) === of)
    return {
      visitors: distinct(seen.map(view => view.hash)),
      sessions: begun.length,
      views: seen.length,
      bounces: begun.filter(isBounce).length,
      seconds: sum(seen.map(view => view.seconds)),
    }
  }

  /** Hosts with a view on the day, or on which a session began. */
  const hosts = (of: string): Map<string, HostFigures> => {
    const hostOf = ({ page }: View): string => page.slice(0, page.indexOf('/'))
    const seen = views.filter(view => dayOf(view.at) === of)
    const begun = sessions
      .filter(session => dayOf(session.start) === of)
      .flatMap(session => [...session.views].sort(before).slice(0, 1))
    return new Map(
      [...new Set([...seen, ...begun].map(hostOf))].map(host => {
        const entered = begun.filter(view => hostOf(view) === host)
        const here = seen.filter(view => hostOf(view) === host)
        return [
          host,
          {
            visitors: distinct(here.map(view => view.hash)),
            sessions: entered.length,
            views: here.length,
            bounces: entered.filter(({ session }) => isBounce(session)).length,
          },
        ]
      }),
    )
  }

  /** Pages with a view on the day. */
  const pages = (of: string): Map<string, PageFigures> => {
    const seen = views.filter(view => dayOf(view.at) === of)
    const begun = sessions
      .filter(session => dayOf(session.start) === of)
      .map(session => ({ session, sorted: [...session.views].sort(before) }))
    return new Map(
      [...new Set(seen.map(view => view.page))].map(page => {
        const here = seen.filter(view => view.page === page)
        const entered = begun.filter(({ sorted }) => sorted[0]?.page === page)
        const scrolled = here.filter(view => view.scroll !== null)
        return [
          page,
          {
            visitors: distinct(here.map(view => view.hash)),
            sessions: distinct(here.map(view => view.session)),
            views: here.length,
            entries: entered.length,
            exits: begun.filter(({ sorted }) => sorted.at(-1)?.page === page).length,
            bounces: entered.filter(({ session }) => isBounce(session)).length,
            seconds: sum(here.map(view => view.seconds)),
            timed: here.filter(view => view.seconds !== null).length,
            scrolled: scrolled.length,
            scrollSum: sum(scrolled.map(view => view.scroll)),
          },
        ]
      }),
    )
  }

  return {
    take: (arrival: Arrival): string => {
      const outcome = take(arrival)
      count(dayOf(arrival.at), outcome)
      return outcome
    },
    day,
    hosts,
    pages,
    ledger,
    days: (): string[] =>
      [
        ...new Set([...views.map(view => dayOf(view.at)), ...sessions.map(one => dayOf(one.start)), ...ledger.keys()]),
      ].sort(),
  }
}

export type Model = ReturnType<typeof createModel>
