// Pairs each session of a packed day with its visitors, as rollup.visit.fill does for rows, and groups these visits for
// breakdowns.
import type { VisitColumn } from '../rollup/statements.ts'
import type { PackedDay } from './format.ts'
import { isSelected, type Selection } from './select.ts'

/** `count` visits in columns. `onlyVisit` is 1 if neither the visitor nor the session has another one on the day. */
export type Visits = { count: number; session: number[]; visitor: number[]; views: number[]; onlyVisit: number[] }

export const noVisits = (): Visits => ({ count: 0, session: [], visitor: [], views: [], onlyVisit: [] })

/** Views of a session are adjacent, so a visitor's part of it is among the last few visits. */
const addViews = ({ views }: PackedDay, selection: Selection, visits: Visits, add: AddVisit): void => {
  let sessionStart = 0
  let current = -1
  for (let index = 0; index < views.count; index++) {
    const session = views.session[index] ?? 0
    if (!isSelected(selection, session, index)) continue
    if (session !== current) {
      current = session
      sessionStart = visits.count
    }
    const visitor = views.visitor[index] ?? 0
    let at = sessionStart
    while (at < visits.count && visits.visitor[at] !== visitor) at++
    if (at < visits.count) visits.views[at] = (visits.views[at] ?? 0) + 1
    else add(session, visitor, 1)
  }
}

type AddVisit = (session: number, visitor: number, views: number) => void

/** @param visits receives the visits; its previous content is overwritten, to reuse the memory */
export const collectVisits = (day: PackedDay, selection: Selection, visits: Visits): void => {
  const { visitors, sessions } = day
  visits.count = 0
  const [ofVisitor, ofSession] = [new Uint32Array(visitors), new Uint32Array(sessions.count)]
  const add: AddVisit = (session, visitor, views) => {
    visits.session[visits.count] = session
    visits.visitor[visits.count] = visitor
    visits.views[visits.count] = views
    visits.count += 1
    ofVisitor[visitor] = (ofVisitor[visitor] ?? 0) + 1
    ofSession[session] = (ofSession[session] ?? 0) + 1
  }
  addViews(day, selection, visits, add)
  for (let session = 0; session < sessions.count; session++) {
    if (selection.began[session] === 1 && ofSession[session] === 0) add(session, sessions.visitor[session] ?? 0, 0)
  }
  for (let index = 0; index < visits.count; index++) {
    visits.onlyVisit[index] =
      ofSession[visits.session[index] ?? 0] === 1 && ofVisitor[visits.visitor[index] ?? 0] === 1 ? 1 : 0
  }
}

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
