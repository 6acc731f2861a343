// Which sessions a filter by goals selects. A session that goes on past midnight reaches a goal on any of its days.
import { addDays, type Day } from '../lib/time.ts'
import type { CountedDay } from './count.ts'
import { findSession, matchesOf, sessionIds } from './day-rows.ts'
import type { ReachFilter } from './steps.ts'
import { walkChain } from './walk-chain.ts'
import { walkGoals } from './walk-goals.ts'

/** The sessions of a day: their ids, whether each began on an earlier day, and which reached each filter's goals. */
type DayReach = { day: Day; ids: Float64Array; earlier: number[]; reached: Uint8Array[] }

const reachOf = ({ list, span, packed, scope }: CountedDay, { goals, chains }: ReachFilter): Uint8Array => {
  const reached = new Uint8Array(packed.sessions.count)
  const input = { scope, matches: matchesOf(list, span), start: span.start }
  walkGoals(packed, goals, input, (_, session) => {
    if (session >= 0) reached[session] = 1
  })
  for (const chain of chains) {
    const { depth } = walkChain(packed, chain, input)
    for (let session = 0; session < depth.length; session++)
      if (depth[session] === chain.steps.length) reached[session] = 1
  }
  return reached
}

const readDay = (counted: CountedDay, filters: readonly ReachFilter[]): DayReach => {
  const { packed, span } = counted
  const earlier: number[] = []
  for (let session = 0; session < packed.sessions.count; session++)
    if (packed.sessions.hour[session] === 0) earlier.push(session)
  return { day: span.day, ids: sessionIds(packed), earlier, reached: filters.map(filter => reachOf(counted, filter)) }
}

/** Calls back for each session of a day that was under way on the day before, with its numbers on both days. */
const eachCarried = (
  before: DayReach | undefined,
  current: DayReach,
  use: (on: number, before: number) => void,
): void => {
  if (before === undefined || addDays(before.day, 1) !== current.day) return
  for (const session of current.earlier) {
    const known = findSession(before.ids, current.ids[session] ?? 0)
    if (known >= 0) use(session, known)
  }
}

/** What was reached on one day of a session counts on its other days. */
const spread = (days: readonly DayReach[], filters: readonly ReachFilter[]): void => {
  filters.forEach((_, filter) => {
    const carry = (index: number, back: boolean): void => {
      const [before, current] = [days[index - 1], days[index]]
      if (before === undefined || current === undefined) return
      const [from, to] = back ? [current, before] : [before, current]
      eachCarried(before, current, (on, off) => {
        const [source, target] = back ? [on, off] : [off, on]
        const marks = to.reached[filter]
        if (marks !== undefined && from.reached[filter]?.[source] === 1) marks[target] = 1
      })
    }
    for (let index = 1; index < days.length; index++) carry(index, false)
    for (let index = days.length - 1; index > 0; index--) carry(index, true)
  })
}

/** 1 for each session that every filter selects. */
const selectAll = (sessions: number, reached: readonly Uint8Array[], filters: readonly ReachFilter[]): Uint8Array => {
  const selected = new Uint8Array(sessions).fill(1)
  filters.forEach(({ included }, filter) => {
    const marks = reached[filter]
    const wanted = Number(included)
    for (let session = 0; session < sessions; session++) if (marks?.[session] !== wanted) selected[session] = 0
  })
  return selected
}

/** The sessions that every filter selects. */
export type Reached = {
  /** 1 for each session of the packed day; null for a day that was not read. */
  ofDay: (day: Day) => Uint8Array | null
  /** The ids of those that count on some days. */
  idsOn: (days: readonly Day[]) => number[]
  /** Days that had to be read from rows. */
  unpacked: readonly Day[]
}

const noSessions: DayReach = { day: 0, ids: new Float64Array(0), earlier: [], reached: [] }

/** Reads each day that is needed, in order: those of the report and the ones next to them. */
export const createReached = (filters: readonly ReachFilter[]) => {
  const days: DayReach[] = []
  return {
    add: (counted: CountedDay): void => {
      days.push(readDay(counted, filters))
    },
    finish: (unpacked: readonly Day[]): Reached => {
      spread(days, filters)
      const selected = new Map(
        days.map(({ day, ids, reached }) => [day, selectAll(ids.length, reached, filters)] as const),
      )
      const idsOf = (day: Day): number[] => {
        const { ids } = days.find(one => one.day === day) ?? noSessions
        return [...ids].filter((_, session) => selected.get(day)?.[session] === 1)
      }
      return {
        unpacked,
        ofDay: day => selected.get(day) ?? null,
        idsOn: wanted => [
          ...new Set([...new Set(wanted.flatMap(day => [addDays(day, -1), day, addDays(day, 1)]))].flatMap(idsOf)),
        ],
      }
    },
  }
}
