// What a period is compared with, as the parameter `compare` of reports: `previous`, `year`, or the days themselves.
import { addDays, type Day, daysBetween, dayText } from '../../lib/time.ts'
import type { Range } from '../../reports/range.ts'
import { monthsBefore, type Unit } from './calendar.ts'
import type { PeriodWords, Stretch } from './period-words.ts'

/** "The week before", "a year ago": so many units before the period. */
export type Earlier = { place: number; unit: Unit; count: number; length: number }

/** `compared`: "than" comes before it; "a week ago" alone names days. */
export const earlierAt = (w: PeriodWords, place: number, compared: boolean): Earlier | null => {
  const before = w.has(place, 'before_unit') || w.has(place, 'ago_before') ? 1 : 0
  if (before === 1 && !compared) return null
  const count = w.countAt(place + before)
  const at = place + before + (count === null ? 0 : 1)
  const unit = w.unitAt(at)
  if (unit === null || (before === 1 && count === null)) return null
  const after = w.has(at + 1, 'earlier') || (compared && w.has(at + 1, 'ago')) ? 1 : 0
  if (before + after === 0) return null
  return { place, unit, count: Math.min(count ?? 1, 120), length: at + 1 + after - place }
}

const days: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 0, quarter: 0, year: 0 }
const months: Readonly<Record<Unit, number>> = { day: 0, week: 0, month: 1, quarter: 3, year: 12 }

const text = ({ from, to }: Range): string => `${dayText(from)}..${dayText(to)}`

const lengthOf = ({ from, to }: Range): number => daysBetween(from, to)

/** @param name of the period, if the text names one */
export const beforeBy = ({ unit, count }: Earlier, name: string | undefined, range: Range | null): string => {
  if (unit === 'year' && count === 1) return 'year'
  if (range === null || (count === 1 && name?.endsWith(`_${unit}`) === true)) return 'previous'
  const moved = (day: Day): Day => monthsBefore(addDays(day, -count * days[unit]), count * months[unit])
  return text({ from: moved(range.from), to: moved(range.to) })
}

const isSame = (a: Range, b: Range): boolean => a.from === b.from && a.to === b.to

/** How the days compared with lie to those asked about. */
export const relation = (
  w: PeriodWords,
  asked: { name: string; range: Range } | null,
  { name, range }: Stretch,
): string => {
  const to = Math.min(range.to, w.today)
  if (asked === null) return text({ from: range.from, to })
  if (name === 'last_year' && asked.name !== 'last_year') return 'year'
  const unit = name.replace('last_', '')
  const follows = addDays(range.to, 1) === asked.range.from && lengthOf(range) === lengthOf(asked.range)
  if (follows || isSame(range, asked.range) || asked.name === `this_${unit}`) return 'previous'
  return text({ from: range.from, to })
}
