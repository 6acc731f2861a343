// Saved segments, which the page knows by their ids.
import { useEffect, useState } from 'preact/hooks'
import type { SegmentAnswer } from '../../endpoints/segments.ts'
import { resource } from './api.ts'
import { type Filter, filtersOf } from './url.ts'

export type Segment = Pick<SegmentAnswer, 'id' | 'name' | 'filters'>
export type Segments = { list: readonly Segment[]; reload: () => void }

/** The saved segments; a shared link knows only its own. */
export const useSegments = (shared: { segment: Segment | null } | null): Segments => {
  const [list, setList] = useState<readonly Segment[]>(shared?.segment ? [shared.segment] : [])
  const reload = (): void => {
    if (shared !== null) return
    // Without the list a segment is shown by its id; what is wrong, the reports say.
    resource<SegmentAnswer[]>('/segments').then(setList, () => {})
  }
  useEffect(reload, [])
  return { list, reload }
}

/** The segment that a filter names by its id, or by its name where somebody has written the address. */
export const segmentOf = ({ key, values: [value] }: Filter, list: readonly Segment[]): Segment | undefined =>
  key !== 'segment' || value === undefined
    ? undefined
    : (list.find(({ id }) => String(id) === value) ??
      list.find(({ name }) => name.toLowerCase() === value.toLowerCase()))

/** The filter that shows a segment. */
export const filterBySegment = ({ id }: Segment): Filter => ({ key: 'segment', included: true, values: [String(id)] })

/** Filters with those of the saved segment in its place. */
export const expandSegment = (filters: readonly Filter[], list: readonly Segment[]): Filter[] =>
  filters.flatMap(filter => {
    const segment = segmentOf(filter, list)
    return segment === undefined ? [filter] : filtersOf(segment.filters)
  })
