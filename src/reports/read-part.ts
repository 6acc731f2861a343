import type { Trace } from '../database/trace.ts'
import { type ApiError, invalidParam } from '../http/errors.ts'
import { type Day, dayText } from '../lib/time.ts'
import { bindTotals } from './breakdown.ts'
import type { Part } from './compare.ts'
import type { ReportContext } from './context.ts'
import { everything } from './filters/select.ts'
import type { Counted, CountRequest, PathRequest, SegmentNumbers, SegmentRequest } from './messages.ts'
import type { BoundQuery, Read } from './pool.ts'
import { RawRowsGone } from './segment.ts'

/** What one request to a report reads. */
export type Reading = {
  context: Pick<ReportContext, 'read' | 'zone'>
  /** Null for all visits. */
  segment: SegmentNumbers | null
  /** Filled with what each statement did. */
  traces?: Trace[] | undefined
  signal?: AbortSignal | undefined
  /** Nothing is selected where there are fewer visits, and no sum over them shows; 0 for callers that see all. */
  least?: number
  /** Counts the paths of sessions instead of rollups. */
  paths?: PathRequest
}

const filtered = 'with a filter, reports'

/** What reads raw rows cannot begin before the first day that has them. */
const tooEarly = (first: Day, name: 'from' | 'compare', what: string): ApiError =>
  invalidParam(
    name,
    `${name === 'from' ? 'from must not be before' : 'compare must not reach back before'} ${dayText(first)}: ${what} ` +
      'read single visits, and those of earlier days are no longer kept.',
  )

/** What no visit has. */
const nothing: SegmentNumbers = { ...everything, slots: { client: { included: true, ids: [] } } }

/** Selects nothing if it would be too few visits. */
const enough = async (
  { context, least = 0, signal }: Reading,
  range: Part['range'],
  request: SegmentRequest,
): Promise<SegmentRequest> => {
  if (least === 0) return request
  const { paths: _, count: __, ...segment } = request
  const [[all]] = await context.read([bindTotals(range)], { range, segment, signal })
  return (all?.sessions ?? 0) < least ? { ...request, filters: nothing } : request
}

const readPart = (reading: Reading, { range, since, until }: Part, name: 'from' | 'compare'): Read => {
  const { context, segment, traces, signal, paths } = reading
  const request =
    segment === null && since === null && until === null && paths === undefined
      ? undefined
      : {
          filters: segment ?? everything,
          since,
          until,
          timezone: context.zone.name,
          ...(paths !== undefined && { paths }),
        }
  const what = paths === undefined ? filtered : 'paths'
  return (<const B extends readonly BoundQuery[]>(statements: B) =>
    (request === undefined ? Promise.resolve(request) : enough(reading, range, request))
      .then(asked => context.read(statements, { range, segment: asked, traces, signal }))
      .catch((error: unknown) => {
        throw error instanceof RawRowsGone ? tooEarly(error.first, name, what) : error
      })) as Read
}

export type Count = (request: CountRequest) => Promise<Counted>

const countPart =
  (reading: Reading, { range, since, until }: Part, name: 'from' | 'compare'): Count =>
  async request => {
    const { context, segment, traces, signal } = reading
    const counted: Counted[] = []
    const asked = { filters: segment ?? everything, since, until, timezone: context.zone.name, count: request }
    await enough(reading, range, asked)
      .then(segment => context.read([], { range, segment, counted, traces, signal }))
      .catch((error: unknown) => {
        throw error instanceof RawRowsGone ? tooEarly(error.first, name, filtered) : error
      })
    const [count] = counted
    if (count === undefined) throw new Error('a reader counted nothing')
    return count
  }

/** What reads a part of what a report covers. */
export type PartReader = {
  read: Read
  /** Counts goals and funnels. */
  count: Count
  /** Reads the paths of the selected sessions that began in the part, instead of rollups. */
  readPaths: (paths: PathRequest) => Read
}

/** @param name the parameter that a refusal blames */
export const partReader = (reading: Reading, part: Part, name: 'from' | 'compare'): PartReader => ({
  read: readPart(reading, part, name),
  count: countPart(reading, part, name),
  readPaths: paths => readPart({ ...reading, paths }, part, name),
})
