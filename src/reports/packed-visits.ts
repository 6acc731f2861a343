// Pairs each session of a packed day with its visitors, as rollup.visit.fill.sql does for rows.
import type { PackedDay } from '../rollup/packed-format.ts'
import { isSelected, type Selection } from './packed-traffic.ts'

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
