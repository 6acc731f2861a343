// Adds up the chosen visits of packed days. What each figure counts is what the statements of the rollups (src/sql/rollup.*.fill.sql)
// count; a test holds the two against each other.
import type { PackedDay, SessionColumn } from '../rollup/packed-format.ts'
import { isChosen, sumTraffic, type Chosen, type DaySums } from './packed-traffic.ts'

/** What reports break visits down by, by the number that a session has for it. */
export type Breakdown = Extract<
  SessionColumn,
  'client' | 'place' | 'origin' | 'campaign' | 'screen' | 'language' | 'timezone'
>

export type Wanted = { site: boolean; hours: boolean; pages: boolean; breakdowns: readonly Breakdown[] }

export type PageSums = {
  visitors: number
  sessions: number
  views: number
  entries: number
  entry_visitors: number
  exits: number
  exit_visitors: number
  bounces: number
  seconds: number
  timed_views: number
  scroll_sum: number
  scroll_views: number
}

/** See the temporary table visit_client: visits that are alone are counted already, each of the others has a row. */
export type VisitSums = {
  id: number | null
  visitors: number
  sessions: number
  views: number
  bounces: number
  visitor_id: number | null
  session_id: number | null
  began: number
  bounced: number
}

/** Sums of a page, and the last session that viewed it: views of a session come together. */
type Page = PageSums & { last: number }

/** Visitors' parts of sessions on the day, `count` of them; see the temporary table visit. */
type Visits = { count: number; session: number[]; visitor: number[]; views: number[]; alone: number[] }

/** @param visits those of the day before, whose memory is used again */
const visitsOf = ({ visitors, sessions, views }: PackedDay, chosen: Chosen, visits: Visits): void => {
  visits.count = 0
  const [ofVisitor, ofSession] = [new Uint32Array(visitors), new Uint32Array(sessions.count)]
  const add = (session: number, visitor: number, count: number): void => {
    visits.session[visits.count] = session
    visits.visitor[visits.count] = visitor
    visits.views[visits.count] = count
    visits.count += 1
    ofVisitor[visitor] = (ofVisitor[visitor] ?? 0) + 1
    ofSession[session] = (ofSession[session] ?? 0) + 1
  }
  let begin = 0
  let current = -1
  for (let index = 0; index < views.count; index++) {
    const session = views.session[index] ?? 0
    if (!isChosen(chosen, session, index)) continue
    if (session !== current) {
      current = session
      begin = visits.count
    }
    const visitor = views.visitor[index] ?? 0
    let at = begin
    while (at < visits.count && visits.visitor[at] !== visitor) at++
    if (at < visits.count) visits.views[at] = (visits.views[at] ?? 0) + 1
    else add(session, visitor, 1)
  }
  for (let session = 0; session < sessions.count; session++) {
    if (chosen.sessions[session] === 1 && (sessions.hour[session] ?? 0) > 0 && ofSession[session] === 0)
      add(session, sessions.visitor[session] ?? 0, 0)
  }
  for (let index = 0; index < visits.count; index++) {
    visits.alone[index] =
      ofSession[visits.session[index] ?? 0] === 1 && ofVisitor[visits.visitor[index] ?? 0] === 1 ? 1 : 0
  }
}

/** Sums over the days of one period. */
export type PeriodSums = {
  add: (day: PackedDay, chosen: Chosen) => DaySums
  pages: readonly [number, PageSums][]
  /** The rows of each breakdown. */
  visits: () => [Breakdown, VisitSums][]
}

export const createSums = (wanted: Wanted): PeriodSums => {
  /** By number; looked up for each view. */
  const table: (Page | undefined)[] = []
  const pages: [number, PageSums][] = []
  const counted = new Map(wanted.breakdowns.map(name => [name, new Map<number, VisitSums>()]))
  const others: [Breakdown, VisitSums][] = []
  const visits: Visits = { count: 0, session: [], visitor: [], views: [], alone: [] }
  /** What the numbers of a day's visitors and sessions begin with, so that those of different days differ. */
  let base = 0

  const pageOf = (id: number): Page => {
    let page = table[id]
    if (page === undefined) {
      page = {
        visitors: 0,
        sessions: 0,
        views: 0,
        entries: 0,
        entry_visitors: 0,
        exits: 0,
        exit_visitors: 0,
        bounces: 0,
        seconds: 0,
        timed_views: 0,
        scroll_sum: 0,
        scroll_views: 0,
        last: -1,
      }
      table[id] = page
      pages.push([id, page])
    }
    return page
  }

  const addPages = ({ visitors, sessions, views }: PackedDay, chosen: Chosen): void => {
    const alone = new Uint8Array(sessions.count)
    for (let index = 0; index < visits.count; index++) alone[visits.session[index] ?? 0] = visits.alone[index] ?? 0
    const [seen, entered, left] = [new Set<number>(), new Set<number>(), new Set<number>()]
    const begun = new Uint32Array(visitors)
    /** Whether the day's visitor is new to the page. */
    const isNew = (known: Set<number>, page: number, visitor: number): boolean =>
      known.size < known.add(page * visitors + visitor).size
    for (let index = 0; index < views.count; index++) {
      const session = views.session[index] ?? 0
      if (!isChosen(chosen, session, index)) continue
      const id = views.page[index] ?? 0
      const page = pageOf(id)
      const seconds = views.seconds[index] ?? 0
      const scroll = views.scroll[index] ?? 0
      page.views += 1
      if (page.last !== base + session) {
        page.last = base + session
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
    const begins = (session: number): boolean => chosen.sessions[session] === 1 && (sessions.hour[session] ?? 0) > 0
    for (let session = 0; session < sessions.count; session++) {
      const visitor = sessions.visitor[session] ?? 0
      if (begins(session)) begun[visitor] = (begun[visitor] ?? 0) + 1
    }
    for (let session = 0; session < sessions.count; session++) {
      if (!begins(session)) continue
      const first = sessions.entry_page[session] ?? 0
      const last = sessions.exit_page[session] ?? 0
      const visitor = sessions.visitor[session] ?? 0
      const entry = pageOf(first)
      const exit = pageOf(last)
      entry.entries += 1
      entry.bounces += sessions.bounced[session] ?? 0
      exit.exits += 1
      if (begun[visitor] === 1 || isNew(entered, first, visitor)) entry.entry_visitors += 1
      if (begun[visitor] === 1 || isNew(left, last, visitor)) exit.exit_visitors += 1
    }
  }

  const addBreakdowns = ({ sessions }: PackedDay): void => {
    for (const [name, sums] of counted) {
      const values = sessions[name]
      for (let index = 0; index < visits.count; index++) {
        const session = visits.session[index] ?? 0
        const value = values[session] ?? 0
        // Visits without a campaign are in none of its breakdowns.
        if (value === 0 && name === 'campaign') continue
        const views = visits.views[index] ?? 0
        const began = (sessions.hour[session] ?? 0) > 0 ? 1 : 0
        const bounced = began & (sessions.bounced[session] ?? 0)
        const id = value === 0 ? null : value
        if (visits.alone[index] === 0) {
          const [visitor_id, session_id] = [base + (visits.visitor[index] ?? 0), base + session]
          others.push([
            name,
            { id, visitors: 0, sessions: 0, views, bounces: 0, visitor_id, session_id, began, bounced },
          ])
          continue
        }
        let sum = sums.get(value)
        if (sum === undefined)
          sums.set(
            value,
            (sum = {
              id,
              visitors: 0,
              sessions: 0,
              views: 0,
              bounces: 0,
              visitor_id: null,
              session_id: null,
              began: 0,
              bounced: 0,
            }),
          )
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
        visitsOf(day, chosen, visits)
        if (wanted.pages) addPages(day, chosen)
        addBreakdowns(day)
      }
      base += Math.max(day.visitors, day.sessions.count)
      return sumTraffic(day, chosen, wanted.hours)
    },
    pages,
    visits: () => [
      ...[...counted].flatMap(([name, sums]) => [...sums.values()].map(sum => [name, sum] as [Breakdown, VisitSums])),
      ...others,
    ],
  }
}
