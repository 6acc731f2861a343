// Sums the selected visits of packed days. The figures are defined as in src/sql/rollup.*.fill.sql; a test compares the
// two implementations.
import type { VisitColumn } from '../rollup/statements.ts'
import type { PackedDay } from './format.ts'
import { isSelected, type PageHosts, type Selection } from './select.ts'
import { collectVisits, createBreakdownSums, noVisits, type VisitRow, type Visits } from './visits.ts'

type Traffic = { visitors: number; sessions: number; views: number; bounces: number; seconds: number }
export type DayTraffic = { site: Traffic | null; hours: ReadonlyMap<number, Traffic> }

const noTraffic = (): Traffic => ({ visitors: 0, sessions: 0, views: 0, bounces: 0, seconds: 0 })

/** The traffic of the selected visits, for the whole day and by hour; `site` is null if there is none. */
export const sumTraffic = (
  { visitors, sessions, views }: PackedDay,
  selection: Selection,
  byHour: boolean,
): DayTraffic => {
  const site = noTraffic()
  const hours = new Map<number, Traffic>()
  const hourOf = (hour: number): Traffic => {
    const traffic = hours.get(hour) ?? noTraffic()
    hours.set(hour, traffic)
    return traffic
  }
  const seen = new Uint8Array(visitors)
  const seenInHour = new Set<number>()
  for (let index = 0; index < views.count; index++) {
    if (!isSelected(selection, views.session[index] ?? 0, index)) continue
    const visitor = views.visitor[index] ?? 0
    const seconds = Math.max(0, (views.seconds[index] ?? 0) - 1)
    site.views += 1
    site.seconds += seconds
    if (seen[visitor] === 0) {
      seen[visitor] = 1
      site.visitors += 1
    }
    if (!byHour) continue
    const hour = hourOf(views.hour[index] ?? 0)
    hour.views += 1
    hour.seconds += seconds
    if (seenInHour.size < seenInHour.add((views.hour[index] ?? 0) * visitors + visitor).size) hour.visitors += 1
  }
  for (let session = 0; session < sessions.count; session++) {
    if (selection.began[session] === 0) continue
    const bounced = sessions.bounced[session] ?? 0
    for (const sum of byHour ? [site, hourOf((sessions.hour[session] ?? 0) - 1)] : [site]) {
      sum.sessions += 1
      sum.bounces += bounced
    }
  }
  return { site: site.views > 0 || site.sessions > 0 ? site : null, hours }
}

/** As rollup.host.fill derives them from rows. */
const noHostFigures = () => ({ visitors: 0, sessions: 0, views: 0, bounces: 0 })
type HostFigures = ReturnType<typeof noHostFigures>

type HostSums = {
  add: (day: PackedDay, selection: Selection) => void
  /** The figures of each host, by its id. */
  hosts: ReadonlyMap<number, HostFigures>
}

const createHostSums = (pageHosts: PageHosts): HostSums => {
  const hosts = new Map<number, HostFigures>()

  const hostOf = (page: number) => {
    const id = pageHosts[page] ?? 0
    const known = hosts.get(id)
    if (known !== undefined) return { id, sums: known }
    const sums = noHostFigures()
    hosts.set(id, sums)
    return { id, sums }
  }

  return {
    add: ({ visitors, views, sessions }, selection) => {
      const seen = new Set<number>()
      for (let index = 0; index < views.count; index++) {
        if (!isSelected(selection, views.session[index] ?? 0, index)) continue
        const { id, sums } = hostOf(views.page[index] ?? 0)
        sums.views += 1
        if (seen.size < seen.add(id * visitors + (views.visitor[index] ?? 0)).size) sums.visitors += 1
      }
      for (let session = 0; session < sessions.count; session++) {
        if (selection.began[session] === 0) continue
        const { sums } = hostOf(sessions.entry_page[session] ?? 0)
        sums.sessions += 1
        sums.bounces += sessions.bounced[session] ?? 0
      }
    },
    hosts,
  }
}

const noPageFigures = () => ({
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
})

type PageFigures = ReturnType<typeof noPageFigures>

/** The figures of a page, and the last session that viewed it: views of a session are adjacent. */
type Page = PageFigures & { lastSession: number }

type PageSums = {
  /** @param base offset of the day's session numbers, so that they are unique across days */
  add: (day: PackedDay, selection: Selection, visits: Visits, base: number) => void
  pages: readonly [number, PageFigures][]
}

/** Returns whether a visitor of the day is new to a page. */
const createFirstTimes = (visitors: number): ((page: number, visitor: number) => boolean) => {
  const known = new Set<number>()
  return (page, visitor) => known.size < known.add(page * visitors + visitor).size
}

const createPageSums = (): PageSums => {
  /** Indexed by page id, because it is looked up for each view. */
  const table: (Page | undefined)[] = []
  const pages: [number, PageFigures][] = []

  const pageOf = (id: number): Page => {
    const known = table[id]
    if (known !== undefined) return known
    const page = { ...noPageFigures(), lastSession: -1 }
    table[id] = page
    pages.push([id, page])
    return page
  }

  const addViews = (
    { visitors, views }: PackedDay,
    selection: Selection,
    isOnlyVisit: Readonly<Uint8Array>,
    base: number,
  ): void => {
    const isFirst = createFirstTimes(visitors)
    for (let index = 0; index < views.count; index++) {
      const session = views.session[index] ?? 0
      if (!isSelected(selection, session, index)) continue
      const id = views.page[index] ?? 0
      const page = pageOf(id)
      const seconds = views.seconds[index] ?? 0
      const scroll = views.scroll[index] ?? 0
      page.views += 1
      if (page.lastSession !== base + session) {
        page.lastSession = base + session
        page.sessions += 1
        page.visitors += isOnlyVisit[session] ?? 0
      }
      if (isOnlyVisit[session] === 0 && isFirst(id, views.visitor[index] ?? 0)) page.visitors += 1
      if (seconds > 0) {
        page.seconds += seconds - 1
        page.timed_views += 1
      }
      if (scroll > 0) {
        page.scroll_sum += scroll - 1
        page.scroll_views += 1
      }
    }
  }

  const addEnds = ({ visitors, sessions }: PackedDay, selection: Selection): void => {
    const [isFirstEntry, isFirstExit] = [createFirstTimes(visitors), createFirstTimes(visitors)]
    const { began, ended } = selection
    // Most visitors have one session a day, whose page need not be remembered.
    const ofVisitor = new Uint32Array(visitors)
    for (let session = 0; session < sessions.count; session++) {
      const visitor = sessions.visitor[session] ?? 0
      if (began[session] === 1 || ended[session] === 1) ofVisitor[visitor] = (ofVisitor[visitor] ?? 0) + 1
    }
    for (let session = 0; session < sessions.count; session++) {
      const visitor = sessions.visitor[session] ?? 0
      if (began[session] === 1) {
        const first = sessions.entry_page[session] ?? 0
        const entry = pageOf(first)
        entry.entries += 1
        entry.bounces += sessions.bounced[session] ?? 0
        if (ofVisitor[visitor] === 1 || isFirstEntry(first, visitor)) entry.entry_visitors += 1
      }
      if (ended[session] === 1) {
        const last = sessions.exit_page[session] ?? 0
        const exit = pageOf(last)
        exit.exits += 1
        if (ofVisitor[visitor] === 1 || isFirstExit(last, visitor)) exit.exit_visitors += 1
      }
    }
  }

  return {
    add: (day, selection, visits, base) => {
      const isOnlyVisit = new Uint8Array(day.sessions.count)
      for (let index = 0; index < visits.count; index++)
        isOnlyVisit[visits.session[index] ?? 0] = visits.onlyVisit[index] ?? 0
      addViews(day, selection, isOnlyVisit, base)
      addEnds(day, selection)
    },
    pages,
  }
}

/** The sums that the statements of a report need; `hosts` is null unless those of hosts are. */
export type NeededSums = {
  hours: boolean
  pages: boolean
  hosts: PageHosts | null
  breakdowns: readonly VisitColumn[]
}

/** Sums over the days of one period. */
export type PeriodSums = {
  add: (day: PackedDay, selection: Selection) => DayTraffic
  pages: readonly [number, PageFigures][]
  hosts: HostSums['hosts']
  /** The rows of each breakdown. */
  visits: () => [VisitColumn, VisitRow][]
}

export const createPeriodSums = (needed: NeededSums): PeriodSums => {
  const pageSums = createPageSums()
  const breakdownSums = createBreakdownSums(needed.breakdowns)
  const hostSums = needed.hosts === null ? null : createHostSums(needed.hosts)
  const visits = noVisits()
  let base = 0
  return {
    add: (day, selection) => {
      if (needed.pages || needed.breakdowns.length > 0) {
        collectVisits(day, selection, visits)
        if (needed.pages) pageSums.add(day, selection, visits, base)
        breakdownSums.add(day, selection, visits, base)
      }
      hostSums?.add(day, selection)
      base += Math.max(day.visitors, day.sessions.count)
      return sumTraffic(day, selection, needed.hours)
    },
    pages: pageSums.pages,
    hosts: hostSums?.hosts ?? new Map(),
    visits: breakdownSums.rows,
  }
}
