// Adds up the chosen visits of packed days. What each figure counts is what the statements of the rollups (src/sql/rollup.*.fill.sql)
// count; a test holds the two against each other.
import type { PackedDay, SessionColumn } from '../rollup/packed-format.ts'

/** What reports break visits down by, by the number that a session has for it. */
export type Breakdown = Extract<SessionColumn, 'client' | 'place' | 'origin' | 'campaign' | 'screen' | 'language' | 'timezone'>

export type Wanted = { site: boolean, hours: boolean, pages: boolean, breakdowns: readonly Breakdown[] }

type Traffic = { visitors: number, sessions: number, views: number, bounces: number, seconds: number }
export type DaySums = { site: Traffic | null, hours: ReadonlyMap<number, Traffic> }

export type PageSums = {
  visitors: number, sessions: number, views: number, entries: number, entry_visitors: number, exits: number, exit_visitors: number,
  bounces: number, seconds: number, timed_views: number, scroll_sum: number, scroll_views: number
}

/** See the temporary table visit_client: visits that are alone are counted already, each of the others has a row. */
export type VisitSums = {
  id: number | null, visitors: number, sessions: number, views: number, bounces: number,
  visitor_id: number | null, session_id: number | null, began: number, bounced: number
}

/** Sums of a page, and the last session that viewed it: views of a session come together. */
type Page = PageSums & { last: number }

/** Visitors and sessions of different days differ, whatever their numbers within the day. */
const mostOfDay = 2 ** 32

const nothing = (): Traffic => ({ visitors: 0, sessions: 0, views: 0, bounces: 0, seconds: 0 })

/** A visitor's part of a session on the day. */
type Visits = { session: number[], visitor: number[], views: number[], alone: Uint8Array }

const visitsOf = ({ visitors, sessions, views }: PackedDay, chosen: Uint8Array): Visits => {
  const visits = { session: [] as number[], visitor: [] as number[], views: [] as number[] }
  const [ofVisitor, ofSession] = [new Uint32Array(visitors), new Uint32Array(sessions.count)]
  const add = (session: number, visitor: number, count: number): void => {
    visits.session.push(session)
    visits.visitor.push(visitor)
    visits.views.push(count)
    ofVisitor[visitor] = (ofVisitor[visitor] ?? 0) + 1
    ofSession[session] = (ofSession[session] ?? 0) + 1
  }
  let begin = 0
  let current = -1
  for (let index = 0; index < views.count; index++) {
    const session = views.session[index] ?? 0
    if (chosen[session] === 0) continue
    if (session !== current) {
      current = session
      begin = visits.session.length
    }
    const visitor = views.visitor[index] ?? 0
    let at = begin
    while (at < visits.visitor.length && visits.visitor[at] !== visitor) at++
    if (at < visits.visitor.length) visits.views[at] = (visits.views[at] ?? 0) + 1
    else add(session, visitor, 1)
  }
  for (let session = 0; session < sessions.count; session++) {
    if (chosen[session] === 1 && (sessions.hour[session] ?? 0) > 0 && ofSession[session] === 0) add(session, sessions.visitor[session] ?? 0, 0)
  }
  const alone = Uint8Array.from(visits.session, (session, index) => ofSession[session] === 1 && ofVisitor[visits.visitor[index] ?? 0] === 1 ? 1 : 0)
  return { ...visits, alone }
}

/** Sums over the days of one period. */
export type PeriodSums = {
  add: (day: PackedDay, chosen: Uint8Array) => DaySums
  pages: ReadonlyMap<number, PageSums>
  /** The rows of each breakdown. */
  visits: () => [Breakdown, VisitSums][]
}

export const createSums = (wanted: Wanted): PeriodSums => {
  const pages = new Map<number, Page>()
  const counted = new Map(wanted.breakdowns.map(name => [name, new Map<number, VisitSums>()]))
  const others: [Breakdown, VisitSums][] = []
  let days = 0

  const pageOf = (id: number): Page => {
    let page = pages.get(id)
    if (page === undefined) {
      page = {
        visitors: 0, sessions: 0, views: 0, entries: 0, entry_visitors: 0, exits: 0, exit_visitors: 0,
        bounces: 0, seconds: 0, timed_views: 0, scroll_sum: 0, scroll_views: 0, last: -1,
      }
      pages.set(id, page)
    }
    return page
  }

  const addPages = ({ visitors, sessions, views }: PackedDay, chosen: Uint8Array, visits: Visits): void => {
    const alone = new Uint8Array(sessions.count)
    visits.session.forEach((session, index) => { alone[session] = visits.alone[index] ?? 0 })
    const [seen, entered, left] = [new Set<number>(), new Set<number>(), new Set<number>()]
    /** Whether the day's visitor is new to the page. */
    const isNew = (known: Set<number>, page: number, visitor: number): boolean => known.size < known.add(page * visitors + visitor).size
    for (let index = 0; index < views.count; index++) {
      const session = views.session[index] ?? 0
      if (chosen[session] === 0) continue
      const id = views.page[index] ?? 0
      const page = pageOf(id)
      const [seconds, scroll] = [views.seconds[index] ?? 0, views.scroll[index] ?? 0]
      page.views += 1
      if (page.last !== days * mostOfDay + session) {
        page.last = days * mostOfDay + session
        page.sessions += 1
        page.visitors += alone[session] ?? 0
      }
      if (alone[session] === 0 && isNew(seen, id, views.visitor[index] ?? 0)) page.visitors += 1
      if (seconds > 0) {
        page.seconds += seconds - 1
        page.timed_views += 1
      }
      if (scroll > 0) {
        page.scroll_sum += scroll - 1
        page.scroll_views += 1
      }
    }
    for (let session = 0; session < sessions.count; session++) {
      if (chosen[session] === 0 || sessions.hour[session] === 0) continue
      const [first, last, visitor] = [sessions.entry_page[session] ?? 0, sessions.exit_page[session] ?? 0, sessions.visitor[session] ?? 0]
      const [entry, exit] = [pageOf(first), pageOf(last)]
      entry.entries += 1
      entry.bounces += sessions.bounced[session] ?? 0
      exit.exits += 1
      if (isNew(entered, first, visitor)) entry.entry_visitors += 1
      if (isNew(left, last, visitor)) exit.exit_visitors += 1
    }
  }

  const addBreakdowns = ({ sessions }: PackedDay, visits: Visits): void => {
    for (const [name, sums] of counted) {
      const values = sessions[name]
      for (let index = 0; index < visits.session.length; index++) {
        const session = visits.session[index] ?? 0
        const value = values[session] ?? 0
        // Visits without a campaign are in none of its breakdowns.
        if (value === 0 && name === 'campaign') continue
        const views = visits.views[index] ?? 0
        const began = (sessions.hour[session] ?? 0) > 0 ? 1 : 0
        const bounced = began & (sessions.bounced[session] ?? 0)
        const id = value === 0 ? null : value
        if (visits.alone[index] === 0) {
          const [visitor_id, session_id] = [days * mostOfDay + (visits.visitor[index] ?? 0), days * mostOfDay + session]
          others.push([name, { id, visitors: 0, sessions: 0, views, bounces: 0, visitor_id, session_id, began, bounced }])
          continue
        }
        let sum = sums.get(value)
        if (sum === undefined) sums.set(value, sum = { id, visitors: 0, sessions: 0, views: 0, bounces: 0, visitor_id: null, session_id: null, began: 0, bounced: 0 })
        sum.visitors += views > 0 ? 1 : 0
        sum.sessions += began
        sum.views += views
        sum.bounces += bounced
      }
    }
  }

  return {
    add: (day, chosen) => {
      if (wanted.pages || wanted.breakdowns.length > 0) {
        const visits = visitsOf(day, chosen)
        if (wanted.pages) addPages(day, chosen, visits)
        addBreakdowns(day, visits)
      }
      days += 1
      return sumTraffic(day, chosen, wanted)
    },
    pages,
    visits: () => [...[...counted].flatMap(([name, sums]) => [...sums.values()].map(sum => [name, sum] as [Breakdown, VisitSums])), ...others],
  }
}

/** The day as a whole, and its hours. */
const sumTraffic = ({ visitors, sessions, views }: PackedDay, chosen: Uint8Array, wanted: Wanted): DaySums => {
  const site = nothing()
  const hours = new Map<number, Traffic>()
  const hourOf = (hour: number): Traffic => {
    const found = hours.get(hour) ?? nothing()
    hours.set(hour, found)
    return found
  }
  const seen = new Uint8Array(visitors)
  const seenAt = new Set<number>()
  for (let index = 0; index < views.count; index++) {
    if (chosen[views.session[index] ?? 0] === 0) continue
    const [visitor, seconds] = [views.visitor[index] ?? 0, Math.max(0, (views.seconds[index] ?? 0) - 1)]
    site.views += 1
    site.seconds += seconds
    if (seen[visitor] === 0) {
      seen[visitor] = 1
      site.visitors += 1
    }
    if (!wanted.hours) continue
    const hour = hourOf(views.hour[index] ?? 0)
    hour.views += 1
    hour.seconds += seconds
    if (seenAt.size < seenAt.add((views.hour[index] ?? 0) * visitors + visitor).size) hour.visitors += 1
  }
  for (let session = 0; session < sessions.count; session++) {
    if (chosen[session] === 0 || sessions.hour[session] === 0) continue
    const bounced = sessions.bounced[session] ?? 0
    for (const sum of wanted.hours ? [site, hourOf((sessions.hour[session] ?? 0) - 1)] : [site]) {
      sum.sessions += 1
      sum.bounces += bounced
    }
  }
  return { site: site.views > 0 || site.sessions > 0 ? site : null, hours }
}
