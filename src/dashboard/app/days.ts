// Days as strings `YYYY-MM-DD`, in the time zone of the site.
import { type Unit, unitBefore } from '../../lib/calendar.ts'
import { type ComparisonName, earlierRange, stepBack, stepOn } from '../../lib/earlier-range.ts'
import { dateOf, daysBetween, dayText, addDays as later, parseDay } from '../../lib/time.ts'

/** `from_hour`: the hour of the first day at which it begins; without one, days are whole. */
export type Span = { from: string; to: string; from_hour?: number }

export const isDay = (text: string | null): text is string => text !== null && dateOf(text) !== null

export const addDays = (day: string, days: number): string => dayText(later(parseDay(day), days))

/** The number of days of a span, both ends included. */
export const lengthOf = ({ from, to }: Span): number => daysBetween(parseDay(from), parseDay(to))

/** The present day, and the weekday on which weeks begin: 1 for Monday to 7 for Sunday. */
export type Now = { today: string; weekStart: number }

/** The days of the unit that was so many before the present one. */
export const unitSpan = (unit: Unit, { today, weekStart }: Now, before: number): Span => {
  const { from, to } = unitBefore(unit, { today: parseDay(today), weekStart }, before)
  return { from: dayText(from), to: dayText(to) }
}

type Move = typeof stepBack

const moved = (move: Move, { from, to }: Span, { today, weekStart }: Now): Span => {
  const range = move({ from: parseDay(from), to: parseDay(to) }, { today: parseDay(today), weekStart })
  return { from: dayText(range.from), to: dayText(range.to) }
}

/** The span that the API compares with. */
export const compared = (span: Span, name: ComparisonName, now: Now): Span =>
  moved((range, present) => earlierRange(range, name, present), span, now)

/** The whole unit or as many days before, or after: that may end after today. */
export const spanBefore = (span: Span, now: Now): Span => moved(stepBack, span, now)
export const spanAfter = (span: Span, now: Now): Span => moved(stepOn, span, now)
