import * as v from 'valibot'

/** Whether the text is a day of the calendar: 2026-02-29 is none, and there was no year 0. */
export const isCalendarDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && !text.startsWith('0000') && new Date(time).toISOString().startsWith(text)
}

/** A day, `YYYY-MM-DD`. The pattern stands first, as the platform names it in its message. */
export const dateSchema = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/), v.check(isCalendarDay, 'Invalid date.'))

/** A moment in answers: RFC 3339 in UTC. */
export const timeSchema = v.pipe(v.string(), v.isoTimestamp())

export const countSchema = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A fraction, or null when its denominator is 0. */
export const ratioSchema = v.nullable(v.number())

/** How many rows; out of range is refused, never clamped. */
export const limitSchema = (maximum = 200, usual = 25) =>
  v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maximum), v.description('Maximum number of rows.')),
    usual,
  )

export const offsetSchema = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Number of rows to skip.')),
  0,
)

/** Entries for the query of a list. */
export const pagination = { limit: limitSchema(), offset: offsetSchema }

/** Headers of a list's answer. `total` counts the rows of all pages. */
export const totals = (total: number, limit: number): Record<string, string> => ({
  'x-wp-total': String(total),
  'x-wp-totalpages': String(Math.ceil(total / limit)),
})
