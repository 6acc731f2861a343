// What the query of every report holds.
import * as v from 'valibot'
import type { PeriodName } from './named-range.ts'
import type { Filters } from './segment.ts'

export const commonEntries = {
  lang: v.optional(
    v.pipe(v.string(), v.maxLength(35), v.description("Language of names and definitions; default: the caller's.")),
  ),
  explain: v.optional(
    v.pipe(
      v.boolean(),
      v.description('1 adds each statement with its plan, row count and duration to meta. Share links get 403.'),
    ),
    false,
  ),
}

/** The query entries common to all reports. */
export type CommonQuery = {
  from?: string | undefined
  to?: string | undefined
  from_hour?: number | undefined
  period?: PeriodName | undefined
  compare?: string | undefined
  limit?: number
  offset?: number
  lang?: string | undefined
  explain: boolean
  saved?: readonly Filters[]
}
