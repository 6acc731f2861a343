// The filters that a share link, an application password or a user is held to.
import * as v from 'valibot'
import { readBodyFilters } from './filters/read.ts'
import type { SavedSegments } from './saved-segments.ts'
import type { Filters } from './segment.ts'

type SegmentContext = { segments: SavedSegments }

export const filtersSchema = v.record(v.string(), v.string())

/** The saved segment among filters, as those know it who may not list segments. */
export const heldSegmentSchema = v.pipe(
  v.nullable(v.object({ id: v.number(), name: v.string(), filters: filtersSchema })),
  v.description('The saved segment among the filters.'),
)

export const heldSegment = (
  { segments }: SegmentContext,
  { segment }: Filters,
): v.InferOutput<typeof heldSegmentSchema> => {
  if (segment === undefined) return null
  const { id, name, filters } = segments.find(Number(segment))
  return { id, name, filters }
}

/**
 * Filters of a body, by keys, with the id of a saved segment.
 * @throws ApiError 400 naming `filters`
 */
export const readHeld = (
  { segments }: SegmentContext,
  given: Readonly<Record<string, string | undefined>>,
  language: string,
): Filters => segments.fix(readBodyFilters(given, language))
