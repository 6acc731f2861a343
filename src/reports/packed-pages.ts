// The pages of packed days, as rollup.page.fill.sql derives them from rows.
import type { PackedDay } from '../rollup/packed-format.ts'
import { isSelected, type Selection } from './packed-traffic.ts'
import type { Visits } from './packed-visits.ts'

const noFigures = () => ({
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

export type PageFigures = ReturnType<typeof noFigures>

/** The figures of a page, and the last session that viewed it: views of a session are adjacent. */
type Page = PageFigures & { lastSession: number }

export type PageSums = {
  /** @param base offset of the day's session numbers, so that they are unique across days */
  add: (day: PackedDay, selection: Selection, visits: Visits, base: number) => void
  pages: readonly [number, PageFigures][]
}

/** Returns whether a visitor of the day is new to a page. */
const createFirstTimes = (visitors: number): ((page: number, visitor: number) => boolean) => {
  const known = new Set<number>()
  return (page, visitor) => known.size < known.add(page * visitors + visitor).size
}

export const createPageSums = (): PageSums => {
  /** Indexed by page id, because it is looked up for each view. */
  const table: (Page | undefined)[] = []
  const pages: [number, PageFigures][] = []

  const pageOf = (id: number): Page => {
    const known = table[id]
    if (known !== undefined) return known
    const page = { ...noFigures(), lastSession: -1 }
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
