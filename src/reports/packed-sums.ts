// Sums the selected visits of packed days. The figures are defined as in src/sql/rollup.*.fill.sql; a test compares the
// two implementations.
import type { PackedDay } from '../rollup/packed-format.ts'
import type { VisitColumn } from '../rollup/statements.ts'
import { createBreakdownSums, type VisitRow } from './packed-breakdowns.ts'
import { createHostSums, type HostSums } from './packed-hosts.ts'
import { createPageSums, type PageFigures } from './packed-pages.ts'
import type { PageHosts } from './packed-selection.ts'
import { sumTraffic, type Selection, type DayTraffic } from './packed-traffic.ts'
import { collectVisits, noVisits } from './packed-visits.ts'

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
