// Groups the visits of packed days for breakdowns.
import type { PackedDay } from '../rollup/packed-format.ts'
import type { VisitColumn } from '../rollup/statements.ts'
import type { Selection } from './packed-traffic.ts'
import type { Visits } from './packed-visits.ts'

const noFigures = () => ({ visitors: 0, sessions: 0, views: 0, bounces: 0 })

/** A row of a table of grouped visits, see `createVisitTable`. */
export type VisitRow = ReturnType<typeof noFigures> & {
  id: number | null
  visitor_id: number | null
  session_id: number | null
  began: number
  bounced: number
}

export type BreakdownSums = {
  /**
   * @param base offset of the day's visitor and session numbers, so that they are unique across days
   */
  add: (day: PackedDay, selection: Selection, visits: Visits, base: number) => void
  rows: () => [VisitColumn, VisitRow][]
}

export const createBreakdownSums = (columns: readonly VisitColumn[]): BreakdownSums => {
  const sums = new Map(columns.map(column => [column, new Map<number, VisitRow>()]))
  const others: [VisitColumn, VisitRow][] = []

  const sumOf = (ofColumn: Map<number, VisitRow>, value: number, id: number | null): VisitRow => {
    const known = ofColumn.get(value)
    if (known !== undefined) return known
    const row = { id, ...noFigures(), visitor_id: null, session_id: null, began: 0, bounced: 0 }
    ofColumn.set(value, row)
    return row
  }

  return {
    add: ({ sessions }, selection, visits, base) => {
      for (const [column, ofColumn] of sums) {
        const values = sessions[column]
        for (let index = 0; index < visits.count; index++) {
          const session = visits.session[index] ?? 0
          const value = values[session] ?? 0
          // Campaign breakdowns leave out visits without a campaign.
          if (value === 0 && column === 'campaign') continue
          const views = visits.views[index] ?? 0
          const began = selection.began[session] ?? 0
          const bounced = began & (sessions.bounced[session] ?? 0)
          const id = value === 0 ? null : value
          if (visits.onlyVisit[index] === 0) {
            const [visitor_id, session_id] = [base + (visits.visitor[index] ?? 0), base + session]
            others.push([column, { id, ...noFigures(), views, visitor_id, session_id, began, bounced }])
            continue
          }
          const sum = sumOf(ofColumn, value, id)
          sum.visitors += views > 0 ? 1 : 0
          sum.sessions += began
          sum.views += views
          sum.bounces += bounced
        }
      }
    },
    rows: () => [
      ...[...sums].flatMap(([column, rows]) => [...rows.values()].map((row): [VisitColumn, VisitRow] => [column, row])),
      ...others,
    ],
  }
}
