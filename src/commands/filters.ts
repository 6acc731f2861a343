import { UsageError } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { readParameters } from '../http/body.ts'
import { ApiError, sentencesOf } from '../http/errors.ts'
import { readBodyFilters } from '../reports/filters/read.ts'
import { fixSegment, nameSegment } from '../reports/saved-segments.ts'
import type { Filters } from '../reports/segment.ts'

const orUsageError = <Result>(read: () => Result): Result => {
  try {
    return read()
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(sentencesOf(error)) : error
  }
}

/**
 * Filters as in the query of a report: `country=DE&device=mobile`.
 * @throws UsageError for a filter that reports do not know
 */
export const readFilters = (text: string): Filters => {
  const given = Object.entries(readParameters(new URLSearchParams(text)))
  const list = given.find(([, value]) => typeof value !== 'string')
  if (list !== undefined) throw new UsageError(`${list[0]} is given as text.`)
  return orUsageError(() =>
    readBodyFilters(Object.fromEntries(given.map(([name, value]) => [name, String(value)])), 'en'),
  )
}

/**
 * Filters whose saved segment is named by its id.
 * @throws UsageError if there is no such segment
 */
export const withSegment = (db: Db, filters: Filters): Filters => orUsageError(() => fixSegment(db, filters))

/** Filters as readFilters reads them; a saved segment by its name. */
export const filterText = (db: Db, filters: Filters): string =>
  decodeURIComponent(new URLSearchParams(nameSegment(db, filters)).toString())
