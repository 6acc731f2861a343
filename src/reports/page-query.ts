import * as v from 'valibot'
import { pagination } from '../http/schemas.ts'
import { rangeEntries } from './report.ts'
import { segmentEntries } from './segment.ts'

/** The query of the lists of pages. */
export const pageQuery = {
  ...rangeEntries,
  ...pagination,
  ...segmentEntries,
  search: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description('Part of the path or title, case-insensitive.')),
  ),
}

/** What the statements compare with; null for everything. */
export const searchText = (search: string | undefined): string | null =>
  search === undefined || search === '' ? null : search.toLowerCase()
