import * as v from 'valibot'
import { pagination } from '../http/schemas.ts'
import { rangeEntries } from './report.ts'
import { filterEntries } from './segment.ts'

/** Pages by their path, or by host and path. */
const by = v.optional(
  v.pipe(
    v.picklist(['path', 'host']),
    v.description('host: pages with their host, as example.org/blog; path: those of one path are one row.'),
  ),
  'path',
)

/** Query entries of page lists. */
export const pageQuery = {
  ...rangeEntries,
  ...pagination,
  ...filterEntries,
  by,
  search: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description('Part of the path or title, case-insensitive.')),
  ),
}

/** The search text as statements expect it; null matches everything. */
export const searchText = (search: string | undefined): string | null =>
  search === undefined || search === '' ? null : search.toLowerCase()
