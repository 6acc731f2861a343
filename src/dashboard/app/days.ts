// Days as strings `YYYY-MM-DD`, in the time zone of the site.

/** `from_hour`: the hour of the first day at which it begins; without one, days are whole. */
export type Span = { from: string; to: string; from_hour?: number }

const dayLength = 86_400_000
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

export const isDay = (text: string | null): text is string =>
  typeof text === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(timeOf(text)) &&
  textOf(timeOf(text)) === text

export const addDays = (day: string, days: number): string => textOf(timeOf(day) + days * dayLength)

/** The number of days of a span, both ends included. */
export const lengthOf = ({ from, to }: Span): number => Math.round((timeOf(to) - timeOf(from)) / dayLength) + 1

export const monthStart = (day: string): string => `${day.slice(0, 8)}01`

/** The Monday of a week. */
export const weekStart = (day: string): string => addDays(day, -((new Date(timeOf(day)).getUTCDay() + 6) % 7))

/** The first day of a quarter. */
export const quarterStart = (day: string): string => addMonths(day, -((Number(day.slice(5, 7)) - 1) % 3))

/** The first day of the month that is `months` later. */
export const addMonths = (day: string, months: number): string => {
  const date = new Date(timeOf(monthStart(day)))
  date.setUTCMonth(date.getUTCMonth() + months)
  return textOf(date.getTime())
}

export const monthEnd = (day: string): string => addDays(addMonths(day, 1), -1)

const yearBefore = (day: string): string => {
  const same = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return Number.isNaN(timeOf(same)) || textOf(timeOf(same)) !== same ? `${same.slice(0, 8)}28` : same
}

/** The span that the API compares with. */
export const compared = ({ from, to }: Span, compare: 'previous' | 'year'): Span =>
  compare === 'year'
    ? { from: yearBefore(from), to: yearBefore(to) }
    : { from: addDays(from, -lengthOf({ from, to })), to: addDays(from, -1) }
