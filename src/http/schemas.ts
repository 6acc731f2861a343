import * as v from 'valibot'

/** Whether the text is a calendar date: 2026-02-29 is not, and there was no year 0. */
export const isCalendarDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && !text.startsWith('0000') && new Date(time).toISOString().startsWith(text)
}

/** A date, `YYYY-MM-DD`. The pattern comes first because the platform's message contains it. */
export const dateSchema = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/), v.check(isCalendarDay, 'Invalid date.'))

/** A day in a query or body. */
export const siteDaySchema = v.pipe(dateSchema, v.description("A day in the site's time zone, YYYY-MM-DD."))

/** A time in responses: RFC 3339 in UTC. */
export const timeSchema = v.pipe(v.string(), v.isoTimestamp())

export const countSchema = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A fraction, or null when its denominator is 0. */
export const ratioSchema = v.nullable(v.number())

/** The number of rows; values out of range are refused, not clamped. */
export const limitSchema = (maximum = 200, defaultLimit = 25) =>
  v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maximum), v.description('Maximum number of rows.')),
    defaultLimit,
  )

export const offsetSchema = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Number of rows to skip.')),
  0,
)

/** Query parameters of a list. */
export const pagination = { limit: limitSchema(), offset: offsetSchema }

/** Headers of a list's response. `total` counts the rows of all pages. */
export const totals = (total: number, limit: number): Record<string, string> => ({
  'x-wp-total': String(total),
  'x-wp-totalpages': String(Math.ceil(total / limit)),
})

/** The id of a saved row, in a path. */
export const idSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.description('Id, as the list has it.'))

/** The UUID of a saved row, in a path. */
export const uuidSchema = v.pipe(v.string(), v.description('UUID, as the list has it.'))
