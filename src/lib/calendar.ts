// Days, weeks, months, quarters and years of a calendar. The service and the dashboard share it.
import { addDays, type Day, weekday, type Zone } from './time.ts'

type Range = { from: Day; to: Day }

/** The present day, and the weekday on which weeks begin: 1 for Monday to 7 for Sunday. */
export type Present = { today: Day; weekStart: number }

export const presentAt = ({ dayOf, weekStart }: Pick<Zone, 'dayOf' | 'weekStart'>, second: number): Present => ({
  today: dayOf(second),
  weekStart,
})

const monthIn = (day: Day): number => Math.floor(day / 100) % 100

const firstOfMonth = (day: Day, later = 0): Day => {
  const months = Math.floor(day / 10_000) * 12 + monthIn(day) - 1 + later
  return Math.floor(months / 12) * 10_000 + ((months % 12) + 1) * 100 + 1
}

/** The same date so many months later; in a shorter month its last day. */
const addMonths = (day: Day, count: number): Day =>
  Math.min(firstOfMonth(day, count) + (day % 100) - 1, addDays(firstOfMonth(day, count + 1), -1))

/** `first` is the first day of the unit that contains a day; `add` moves a day to the same place of another unit. */
export type Unit = { first: (day: Day, weekStart: number) => Day; add: (day: Day, units: number) => Day }

const ofMonths = (length: number): Unit => ({
  first: day => firstOfMonth(day, -((monthIn(day) - 1) % length)),
  add: (day, units) => addMonths(day, units * length),
})

/** The shortest first. */
export const units = {
  day: { first: day => day, add: addDays },
  week: {
    first: (day, weekStart) => addDays(day, -((weekday(day) - weekStart + 7) % 7)),
    add: (day, count) => addDays(day, 7 * count),
  },
  month: ofMonths(1),
  quarter: ofMonths(3),
  year: ofMonths(12),
} satisfies Record<string, Unit>

export type UnitName = keyof typeof units

/** Names in options and in the API, in the order of their numbers. */
export const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type WeekdayName = (typeof weekdayNames)[number]

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (name: WeekdayName): number => weekdayNames.indexOf(name) + 1

/** The weekdays of a week in their order. */
export const weekdaysFrom = (weekStart: number): number[] =>
  [0, 1, 2, 3, 4, 5, 6].map(later => ((weekStart - 1 + later) % 7) + 1)

/** The days of the unit that begins with a day. */
export const wholeUnit = (unit: Unit, first: Day): Range => ({ from: first, to: addDays(unit.add(first, 1), -1) })

/** The days of the unit that was so many before the present one. */
export const unitBefore = (unit: Unit, { today, weekStart }: Present, count: number): Range =>
  wholeUnit(unit, unit.add(unit.first(today, weekStart), -count))
