import * as v from 'valibot'
import { pagination } from '../http/schemas.ts'
import { rangeEntries } from './report.ts'
import { filterEntries } from './segment.ts'

/** Pages by their path, or by host and path. */
const by = v.optional(
  v.pipe(
    v.picklist(['path', 'host']),
    v.description(
      'host: pages with their host, such as example.org/blog; path: the pages of one path are one row. ' +
        'Default: host once there are several.',
    ),
  ),
)
type By = v.InferOutput<typeof by>

/** As statements expect it; null leaves it to the number of hosts. */
export const byHost = (by: By): number | null => (by === undefined ? null : Number(by === 'host'))

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
