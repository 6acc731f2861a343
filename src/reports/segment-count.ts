// Counts goals and funnels in the visits of a segment: from packed days, and from rows where a day is not packed.
import * as v from 'valibot'
import { type Db, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Run, type Tracer, tracedList } from '../database/trace.ts'
import { addFunnels, addGoals, noCount, noSteps } from '../goals/count.ts'
import { createGroups, type GroupedDay, groupingOf } from '../goals/groups.ts'
import { wholeDay } from '../goals/steps.ts'
import { storedFunnels, storedGoals } from '../goals/stored-days.ts'
import type { Day, Zone } from '../lib/time.ts'
import { type PackedDay, type PackedDays, packLoaded } from '../packed/packed-days.ts'
import { valuesFor } from '../rollup/derive.ts'
import { type Span, spanQuery } from '../rollup/tables.ts'
import { createNetRevenue } from '../shop/amounts.ts'
import sqlText from '../sql/segment-count.sql'
import { isEverything } from './filters/select.ts'
import type { Counted, CountRequest, SegmentNumbers } from './messages.ts'
import type { Range } from './range.ts'
import { clearTables, loadSessions, spanWithin } from './segment-days.ts'

const sql = statements(sqlText)

const count = v.number()
const viewsQuery = spanQuery(sql('segment.goal-view.fill'))
const eventsQuery = query(
  sql('segment.goal-event.fill'),
  v.object({ first_view_id: count, next_view_id: count, outside: count }),
)

/** Where the visits of days are read. */
type DaySource = {
  db: Db
  zone: Zone
  filters: SegmentNumbers
  /** The first day of the range, cut at `since`; every day is cut at `until`. */
  first: Day
  since: number | null
  until: number | null
  run: Run
  trace: Tracer
}

/** Loads the selected rows of each day, one after the other, as if it was packed. */
const createRowReader = ({ db, zone, filters, first, since, until, run }: DaySource) => {
  let lastEnd = 0
  const outside = Number(isEverything(filters))
  return (day: Day): { packed: PackedDay; span: Span } => {
    const span = spanWithin(zone, day, day === first ? since : null, until)
    db.exec(clearTables)
    loadSessions(filters, span, lastEnd === span.start, run)
    lastEnd = span.end
    run(viewsQuery, valuesFor(viewsQuery, span, 1))
    const { first_view_id, next_view_id } = span
    run(eventsQuery, { first_view_id, next_view_id, outside })
    return { packed: packLoaded(db, span), span }
  }
}

export type CountInput = DaySource & {
  days: readonly Day[]
  /** Null if days must be cut: a packed day has only the hours of its views. */
  packedDays: PackedDays | null
}

type Use = (counted: GroupedDay) => void

/** Reads each day from its packed columns if it can be, else from its rows; returns these days. */
export const readDays = (input: CountInput, use: Use): Day[] => {
  const { db, zone, days, packedDays, trace } = input
  const list = tracedList(db, trace)
  const readRows = createRowReader(input)
  const unpacked: Day[] = []
  for (const day of days) {
    const isPacked = packedDays?.read(day, (packed, { sessions, pages, began, whole }) =>
      use({
        list,
        span: spanWithin(zone, day, null, null),
        packed,
        scope: whole ? wholeDay : { sessions, pages },
        began,
      }),
    )
    if (isPacked === true) continue
    const loaded = readRows(day)
    use({ list, ...loaded, scope: wholeDay, began: null })
    unpacked.push(day)
  }
  return unpacked
}

/** Days before `complete` are counted in as they are stored; null if a filter selects a part of the visits. */
type CountOptions = { request: CountRequest; range: Range; complete: Day; withStored: boolean }

export const countDays = (input: CountInput, { request, range, complete, withStored }: CountOptions): Counted => {
  const { db, zone, trace } = input
  const list = tracedList(db, trace)
  const { goals, funnels, by } = request
  const goalCounts = goals.map(noCount)
  const funnelCounts = funnels.map(noSteps)
  const [goal] = goals
  const groups = by === null || goal === undefined ? null : createGroups(groupingOf(db, by), goal)
  readDays(input, counted => {
    addFunnels(funnelCounts, funnels, counted)
    if (groups !== null) groups.add(counted)
    else addGoals(goalCounts, goals, counted)
  })
  const stored = { from: range.from, to: Math.min(range.to, complete - 1) }
  const firstOf = (one: typeof storedGoals | typeof storedFunnels, id: number | null): Day =>
    (withStored && id !== null ? one.firstDay(db, id) : null) ?? complete
  if (withStored && stored.from <= stored.to) {
    goals.forEach(({ id }, index) => {
      const to = goalCounts[index]
      if (id !== null && to !== undefined) storedGoals.add(list, id, stored, to)
    })
    funnels.forEach(({ id }, index) => {
      const to = funnelCounts[index]
      if (id !== null && to !== undefined) storedFunnels.add(list, id, stored, to)
    })
  }
  const netRevenue = createNetRevenue(db, zone)
  return {
    goals: goalCounts.map((one, index) => ({
      ...one,
      amounts: netRevenue(one.orders),
      from: firstOf(storedGoals, goals[index]?.id ?? null),
    })),
    groups: (groups?.groups ?? []).map(({ orders, ...one }) => ({ ...one, amounts: netRevenue(orders) })),
    funnels: funnelCounts.map((one, index) => ({ ...one, from: firstOf(storedFunnels, funnels[index]?.id ?? null) })),
  }
}
