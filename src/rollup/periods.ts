import * as v from 'valibot'
import { all, query, run, type Db } from '../database/query.ts'
import beginPeriod from '../sql/rolled-period.begin.sql'
import completePeriod from '../sql/rolled-period.complete.sql'
import listPeriods from '../sql/rolled-period.list.sql'
import removePeriods from '../sql/rolled-period.remove.sql'
import listDays from '../sql/rolled-period.days.sql'
import { addDays, type Day } from '../lib/time.ts'
import { clearDerived, createTempTables, replacePeriod } from './derive.ts'
import { dirtyDays } from './dirty.ts'
import { rollupTables } from './tables.ts'

/** A sixth of a month, a month or a quarter, as a number that no day has: a multiple of 100. */
type Longer = number

const nothing = v.object({})
const daysQuery = query(listDays, v.object({ today: v.number() }), v.object({ day: v.number() }))
const listQuery = query(listPeriods, nothing, v.object({ period: v.number() }))
const beginQuery = query(
  beginPeriod,
  v.object({ period: v.number(), first_day: v.number(), last_day: v.number() }),
  nothing,
)
const completeQuery = query(completePeriod, v.object({ period: v.number() }), nothing)
const removeQuery = query(removePeriods, v.object({ periods: v.string() }), nothing)

const summedTables = rollupTables.filter(({ sum }) => sum !== null)

const yearOf = (day: Day): number => Math.floor(day / 10_000)
const monthIn = (day: Day): number => Math.floor(day / 100) % 100
const sixthIn = (day: Day): number => Math.min(5, Math.floor(((day % 100) - 1) / 5))
const numbered = (year: number, number: number): Longer => (year * 100 + number) * 100

const monthOf = (day: Day): Longer => numbered(yearOf(day), monthIn(day))
/** Five days; the last has what is left of the month. Their numbers follow those of the months. */
const fiveDayBlockOf = (day: Day): Longer => numbered(yearOf(day), 13 + (monthIn(day) - 1) * 6 + sixthIn(day))
const quarterOf = (day: Day): Longer => numbered(yearOf(day), 91 + Math.floor((monthIn(day) - 1) / 3))

const firstOfMonth = (year: number, month: number): Day =>
  (year + Math.floor((month - 1) / 12)) * 10_000 + (((month - 1) % 12) + 1) * 100 + 1
const monthsOn = (day: Day, first: number, months: number): { first_day: Day; last_day: Day } => ({
  first_day: firstOfMonth(yearOf(day), first),
  last_day: addDays(firstOfMonth(yearOf(day), first + months), -1),
})

/** How a day's period of each length is numbered, what it is added up from, and which days it covers. The parts come before the whole. */
const lengths = [
  {
    of: fiveDayBlockOf,
    partOf: (day: Day): number => day,
    span: (day: Day) => {
      const { first_day, last_day } = monthsOn(day, monthIn(day), 1)
      return {
        first_day: first_day + 5 * sixthIn(day),
        last_day: sixthIn(day) === 5 ? last_day : first_day + 5 * sixthIn(day) + 4,
      }
    },
  },
  { of: monthOf, partOf: fiveDayBlockOf, span: (day: Day) => monthsOn(day, monthIn(day), 1) },
  { of: quarterOf, partOf: monthOf, span: (day: Day) => monthsOn(day, Math.floor((monthIn(day) - 1) / 3) * 3 + 1, 3) },
] as const

const longerAround = (day: Day): Longer[] => lengths.map(({ of }) => of(day))

/** The sums of the periods that a day lies in hold no longer. */
export const breakPeriods = (db: Db, day: Day): void => {
  run(db, removeQuery, { periods: JSON.stringify(longerAround(day)) })
}

type Due = { period: Longer; parts: number[]; span: { first_day: Day; last_day: Day } }

/** Periods that are over and have days, all of them derived, and that are not summed up yet; parts before what is made of them. */
const duePeriods = (db: Db, today: Day): Due[] => {
  const not = new Set([
    ...all(db, listQuery, {}).map(({ period }) => period),
    ...[today, ...dirtyDays(db).map(({ day }) => day)].flatMap(longerAround),
  ])
  const days = all(db, daysQuery, { today }).map(({ day }) => day)
  return lengths.flatMap(({ of, partOf, span }) => {
    const due = new Map<Longer, { parts: Set<number>; day: Day }>()
    for (const day of days) {
      const period = of(day)
      if (not.has(period)) continue
      const found = due.get(period)
      if (found === undefined) due.set(period, { parts: new Set([partOf(day)]), day })
      else found.parts.add(partOf(day))
    }
    return [...due].map(([period, { parts, day }]) => ({ period, parts: [...parts], span: span(day) }))
  })
}

const sumPeriod = (db: Db, { period, parts, span }: Due): void => {
  run(db, beginQuery, { period, ...span })
  db.transaction(() => {
    clearDerived(db)
    for (const { sum } of summedTables) if (sum !== null) run(db, sum, { period, parts: JSON.stringify(parts) })
  })()
  // Table by table, so that hits wait only a moment; nobody reads a period before it is complete.
  for (const table of summedTables) db.transaction(() => replacePeriod(db, [table], period)).immediate()
  // If one of its days was changed meanwhile, the row is gone, and the period is due again.
  run(db, completeQuery, { period })
}

/** Whether a past period is complete and not summed up yet. */
export const hasDuePeriods = (db: Db, today: Day): boolean => duePeriods(db, today).length > 0

/**
 * Adds up the past sixths of months, months and quarters that are complete and not summed up yet.
 * @returns how many
 */
export const sumPeriods = (db: Db, today: Day): number => {
  const due = duePeriods(db, today)
  if (due.length > 0) createTempTables(db)
  for (const one of due) sumPeriod(db, one)
  return due.length
}
