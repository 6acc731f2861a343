import * as v from 'valibot'
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts'
import { invalidParam } from '../http/errors.ts'
import { idSchema, timeSchema } from '../http/schemas.ts'
import { nameRule } from '../identity/rules.ts'
import { whoOf } from '../identity/who.ts'
import { timeText } from '../lib/time.ts'
import { readBodyFilters } from '../reports/filters/read.ts'
import type { NewSegment, SavedSegment } from '../reports/saved-segments.ts'
import { ownFiltersBody } from '../reports/segment.ts'
import type { Context } from './context.ts'

type SegmentContext = Pick<Context, 'segments'>

const segmentSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  filters: v.pipe(
    v.record(v.string(), v.string()),
    v.description('As in the query of a report, with keys for values.'),
  ),
  created_by: v.pipe(v.nullable(v.string()), v.description('As in the audit log.')),
  created_at: timeSchema,
})
export type SegmentAnswer = v.InferOutput<typeof segmentSchema>

const body = v.object({
  name: v.pipe(
    v.string(),
    v.check(name => nameRule(name) === null, 'name has 1 to 100 characters, no line breaks, and no space at its ends.'),
    v.description('Unique, without regard to case.'),
  ),
  filters: v.pipe(
    ownFiltersBody,
    v.description('At least one filter, as in the query of a report; properties as `property.KEY`.'),
  ),
})
const params = v.object({ id: idSchema })

const describe = ({ createdBy, createdAt, ...segment }: SavedSegment): SegmentAnswer => ({
  ...segment,
  created_by: createdBy,
  created_at: timeText(createdAt),
})

/** @throws ApiError 400 naming `filters` */
const readNew = ({
  body: given,
  identity,
}: Pick<Call<unknown, v.InferOutput<typeof body>, unknown>, 'body' | 'identity'>): NewSegment => {
  const filters = readBodyFilters(given.filters, identity?.locale ?? 'en')
  if ('segment' in filters) throw invalidParam('filters', 'A segment holds no other segment.')
  if (Object.keys(filters).length === 0) throw invalidParam('filters', 'A segment needs at least one filter.')
  return { name: given.name, filters }
}

const readable = { can: 'footfall_view_reports', scopes: ['reports'], tag: 'Segments and annotations' } as const
const restricted = { can: 'manage_options', tag: 'Segments and annotations' } as const
const accepts = ['application/json'] as const
const unknown = { 404: ['rest_segment_not_found'] }

/** Saved segments: read by everyone who reads reports, changed by administrators. */
export const segmentEndpoints: readonly Endpoint<SegmentContext>[] = [
  endpoint({
    ...readable,
    method: 'GET',
    path: '/segments',
    summary: 'List saved segments',
    output: v.array(segmentSchema),
    handle: ({ segments }: SegmentContext) => ({ data: segments.list().map(describe) }),
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/segments',
    summary: 'Save filters as a segment',
    description: 'Reports take it as `segment`, by id or name. At most 50 can be saved.',
    accepts,
    body,
    output: segmentSchema,
    status: 201,
    handle: ({ segments }: SegmentContext, call) => ({
      data: describe(segments.add(readNew(call), whoOf(call.identity))),
    }),
  }),
  endpoint({
    ...readable,
    method: 'GET',
    path: '/segments/:id',
    summary: 'A saved segment',
    params,
    output: segmentSchema,
    errors: unknown,
    handle: ({ segments }: SegmentContext, call) => ({ data: describe(segments.find(call.params.id)) }),
  }),
  endpoint({
    ...restricted,
    method: 'PUT',
    path: '/segments/:id',
    summary: 'Change a saved segment',
    description: 'Share links and application passwords that show it show the new one.',
    accepts,
    params,
    body,
    output: segmentSchema,
    errors: unknown,
    handle: ({ segments }: SegmentContext, call) => ({
      data: describe(segments.change(call.params.id, readNew(call), whoOf(call.identity))),
    }),
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/segments/:id',
    summary: 'Remove a saved segment',
    params,
    output: v.object({ deleted: v.boolean() }),
    errors: { ...unknown, 409: ['rest_segment_in_use'] },
    handle: ({ segments }: SegmentContext, { params: { id }, identity }) => {
      segments.remove(id, whoOf(identity))
      return { data: { deleted: true } }
    },
  }),
]
