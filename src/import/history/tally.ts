// Counts what the report of an import says: totals of the source, refused rows, names that change.
import type { Day } from '../../lib/time.ts'

/** Months as yyyymm. */
export type Totals = { visitors: number; visits: number; views: number }

export type Refused = { reason: string; rows: number; lines: string[] }

const maxLines = 5
const maxNames = 1000
const maxReasons = 100

export type Tally = ReturnType<typeof createTally>

export const createTally = () => {
  const refused = new Map<string, Refused>()
  const names = new Map<string, { kind: string; given: string; kept: string }>()
  const months = new Map<number, Totals>()
  const outcomes = new Map<Day, Map<string, number>>()
  const days = new Set<Day>()
  const counts = { rows: 0, repeated: 0, left: new Map<string, number>(), clamped: 0 }
  return {
    counts,
    refuse: (reason: string, file: string, line: number): void => {
      const known = refused.get(reason)
      const key = known !== undefined || refused.size < maxReasons ? reason : 'other reasons'
      const entry = refused.get(key) ?? { reason: key, rows: 0, lines: [] }
      entry.rows += 1
      if (entry.lines.length < maxLines) entry.lines.push(`${file}:${line}`)
      refused.set(key, entry)
    },
    /** Rows that are no views or events of visitors. */
    skip: (what: string, rows = 1): void => {
      counts.left.set(what, (counts.left.get(what) ?? 0) + rows)
    },
    renamed: (kind: string, given: string, kept: string): void => {
      if (names.size < maxNames) names.set(`${kind} ${given}`, { kind, given, kept })
    },
    /** Requests that would not have been counted live. */
    outcome: (day: Day, outcome: string): void => {
      const ofDay = outcomes.get(day) ?? new Map<string, number>()
      outcomes.set(day, ofDay.set(outcome, (ofDay.get(outcome) ?? 0) + 1))
    },
    add: (day: Day, { visitors = 0, visits = 0, views = 0 }: Partial<Totals>): void => {
      days.add(day)
      const month = Math.floor(day / 100)
      const sum = months.get(month) ?? { visitors: 0, visits: 0, views: 0 }
      months.set(month, {
        visitors: sum.visitors + visitors,
        visits: sum.visits + visits,
        views: sum.views + views,
      })
    },
    hasTotals: (day: Day): boolean => days.has(day),
    refused: (): Refused[] => [...refused.values()].sort((a, b) => b.rows - a.rows),
    refusedRows: (): number => [...refused.values()].reduce((sum, { rows }) => sum + rows, 0),
    names: () => [...names.values()],
    months: (): ReadonlyMap<number, Totals> => months,
    outcomes: (day: Day): ReadonlyMap<string, number> => outcomes.get(day) ?? new Map(),
    allOutcomes: (): Map<string, number> => {
      const all = new Map<string, number>()
      for (const ofDay of outcomes.values())
        for (const [outcome, requests] of ofDay) all.set(outcome, (all.get(outcome) ?? 0) + requests)
      return all
    },
  }
}
