import * as v from 'valibot'
import { UsageError } from '../config/config.ts'
import { createCheck } from '../http/check.ts'
import { ApiError, sentencesOf } from '../http/errors.ts'
import { readParameters } from '../http/parameters.ts'
import { filterEntries } from '../reports/segment.ts'

const check = createCheck({ body: v.strictObject(filterEntries) })

/**
 * Filters as in the query of a report: `country=DE&device=mobile`.
 * @throws UsageError for a filter that reports do not know
 */
export const readFilters = (text: string): Record<string, string> => {
  const body = readParameters(new URLSearchParams(text))
  try {
    return v.parse(v.record(v.string(), v.string()), check({ query: {}, body, path: {} }).body)
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(sentencesOf(error)) : error
  }
}
