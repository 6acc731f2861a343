// Days as strings `YYYY-MM-DD`, in the time zone of the site.
import { type ComparisonName, earlierRange, stepBack, stepOn, type Unit } from '../../lib/earlier-range.ts'
import { dateOf, daysBetween, dayText, addDays as later, parseDay } from '../../lib/time.ts'

/** `from_hour`: the hour of the first day at which it begins; without one, days are whole. */
export type Span = { from: string; to: string; from_hour?: number }

export const isDay = (text: string | null): text is string => text !== null && dateOf(text) !== null

export const addDays = (day: string, days: number): string => dayText(later(parseDay(day), days))

/** The number of days of a span, both ends included. */
export const lengthOf = ({ from, to }: Span): number => daysBetween(parseDay(from), parseDay(to))

/** The first day of the unit so many after that of a day. */
export const firstOf = (unit: Unit, day: string, after = 0): string =>
  dayText(unit.add(unit.first(parseDay(day)), after))

type Move = typeof stepBack

const moved = (move: Move, { from, to }: Span, today: string): Span => {
  const range = move({ from: parseDay(from), to: parseDay(to) }, parseDay(today))
  return { from: dayText(range.from), to: dayText(range.to) }
}

/** The span that the API compares with. */
export const compared = (span: Span, name: ComparisonName, today: string): Span =>
  moved((range, day) => earlierRange(range, name, day), span, today)

/** The whole unit or as many days before, or after: that may end after today. */
export const spanBefore = (span: Span, today: string): Span => moved(stepBack, span, today)
export const spanAfter = (span: Span, today: string): Span => moved(stepOn, span, today)
