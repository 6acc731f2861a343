import * as v from 'valibot'
import { none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { invalidParam } from '../../http/errors.ts'
import { countSchema, limitSchema, ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/paths-nodes.sql'
import { rangeEntries } from '../asked-range.ts'
import { compareSchema, type Part } from '../compare.ts'
import type { Segment } from '../condition.ts'
import { few, leastVisits } from '../few.ts'
import { nearestValues } from '../filters/nearest-values.ts'
import { lookUp, type Resolved, unmatchedIn } from '../filters/resolve.ts'
import { readFilterText, type Value } from '../filters/syntax.ts'
import type { NodeSet, PathRequest } from '../messages.ts'
import { change, ratio } from '../numbers.ts'
import { bindParameters, type Read } from '../pool.ts'
import type { PartReader } from '../read-part.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

// The rows of counted paths, and how many sessions came to the same nodes in another range.

const sql = statements(sqlText)

const nodesQuery = query(
  sql('segment.path-node.list'),
  none,
  v.object({
    step: v.number(),
    kind: v.picklist(['start', 'page', 'event', 'single', 'other']),
    page: v.nullable(v.string()),
    event: v.nullable(v.string()),
    sessions: v.number(),
    ends: v.number(),
  }),
)
type NodeRow = v.InferOutput<typeof nodesQuery.row>

const readNodes = async (read: Read): Promise<NodeRow[]> => (await read([bindParameters(nodesQuery, {})]))[0]

/** Fields that a node has in a comparison. */
const comparedNode = {
  previous: v.optional(
    v.pipe(
      v.nullable(v.number()),
      v.description(
        'With `compare`: the visits in the other range. Null for sums, and where fewer than two visits came to it.',
      ),
    ),
  ),
  change: v.optional(v.pipe(ratioSchema, v.description('With `compare`: the relative change of the visits.'))),
}

type Compared = (row: NodeRow) => { previous: number | null; change: number | null }

const keyOf = ({ step, kind, page, event }: NodeRow): string => JSON.stringify([step, kind, page, event])

/** Reads the other range, whose parts are added up before those of one session are left out. */
const compareNodes = async (
  parts: readonly Part[],
  request: PathRequest,
  of: (part: Part) => PartReader,
): Promise<Compared> => {
  const rows = await Promise.all(parts.map(part => readNodes(of(part).readPaths({ ...request, limit: null }))))
  const before = new Map<string, number>()
  for (const row of rows.flat()) before.set(keyOf(row), (before.get(keyOf(row)) ?? 0) + row.sessions)
  return row => {
    const sessions = before.get(keyOf(row)) ?? 0
    const previous = sessions >= request.least ? sessions : null
    return { previous, change: change(row.sessions, previous) }
  }
}

const maxSteps = 4
/** Names of sums, which no page has: pages begin with a slash or their host. */
const sums = { single: '(single visits)', other: '(other)' } as const

const ends = {
  exits: v.optional(v.pipe(countSchema, v.description('Of `next`: visits whose path ended here.'))),
  entries: v.optional(v.pipe(countSchema, v.description('Of `previous`: visits whose path began here.'))),
}
const stepSchema = v.object({
  page: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Null for an event. `(single visits)` sums up the pages and events of one visit each, `(other)` those beyond `limit`.',
    ),
  ),
  event: v.optional(v.pipe(v.nullable(v.string()), v.description('Only where events are included.'))),
  sessions: countSchema,
  share: ratioSchema,
  ...ends,
  ...comparedNode,
})
const dataSchema = v.object({
  start: v.object({
    page: v.nullable(v.string()),
    via: v.array(v.string()),
    sessions: v.pipe(
      v.nullable(countSchema),
      v.description('Null where `via` was walked by one visit alone, which is not shown.'),
    ),
    ...ends,
    ...comparedNode,
  }),
  steps: v.array(v.array(stepSchema)),
  truncated: v.pipe(v.boolean(), v.description('Whether a step has more nodes than `limit`.')),
})
export type PathsData = v.InferOutput<typeof dataSchema>

type Condition = Segment[number]
const conditionOf = (name: string, key: 'page' | 'event', value: Value): Condition => ({
  key,
  name,
  included: true,
  values: [value],
})

/** `/a,/b` as conditions, an event as `event:signup`. */
const viaOf = (text: string): Condition[] =>
  readFilterText('via', text).values.map(value => {
    const [, event] = /^event:(.+)$/s.exec(value.text) ?? []
    return event === undefined
      ? conditionOf('via', 'page', value)
      : conditionOf('via', 'event', { ...value, text: event })
  })

const nodesOf = ({ condition, ids }: Resolved): NodeSet => ({
  kind: condition.key === 'event' ? 'event' : 'page',
  ids: ids.flat(),
})

/** @throws ApiError 400 for more steps than are shown, and for what cannot be a start */
const readSteps = (page: string | undefined, via: string | undefined, depth: number) => {
  const start = page === undefined ? [] : [readFilterText('page', page)]
  if (start.some(({ included }) => !included)) throw invalidParam('page', 'page takes no leading !: paths start at it.')
  const walked = via === undefined ? [] : viaOf(via)
  if (walked.some(({ values }) => values.some(({ text }) => text === '')))
    throw invalidParam('via', 'via takes no empty value.')
  if (walked.length >= maxSteps) throw invalidParam('via', `via takes at most ${maxSteps - 1} pages or events.`)
  if (walked.length + depth > maxSteps)
    throw invalidParam('depth', `depth must be at most ${maxSteps - walked.length} after ${walked.length} of via.`)
  return { starts: start.flatMap(({ values }) => values.map(value => conditionOf('page', 'page', value))), walked }
}

type Direction = 'next' | 'previous'
const endsOf = (direction: Direction, { ends: count }: NodeRow) =>
  direction === 'next' ? { exits: count } : { entries: count }

type Step = v.InferOutput<typeof stepSchema>
const namesOf = (
  { kind, page, event }: NodeRow,
  withEvents: boolean,
  single: string,
): Pick<Step, 'page' | 'event'> => ({
  page: kind === 'single' ? single : kind === 'other' ? sums.other : page,
  ...(withEvents && { event }),
})

export const paths = report({
  path: '/paths',
  summary: 'What visits did next, or before',
  description:
    'Without `page` from where visits began or, with `previous`, ended; else from where each visit first viewed the ' +
    'page. Visits count on the day on which they began, with all their page views. A page or event that only one visit ' +
    'came to is not shown by itself.',
  query: {
    ...rangeEntries,
    compare: compareSchema,
    ...filterEntries,
    page: v.optional(
      v.pipe(
        filterEntries.page.wrapped,
        v.description('Where paths start: a page, a list of pages, or a pattern such as /blog/*.'),
      ),
    ),
    direction: v.optional(
      v.pipe(v.picklist(['next', 'previous']), v.description('What came after, or before.')),
      'next',
    ),
    depth: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxSteps), v.description('Number of steps.')),
      1,
    ),
    include: v.optional(
      v.pipe(v.picklist(['pages', 'events', 'both']), v.description('What steps consist of.')),
      'pages',
    ),
    via: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(8192),
        v.description(
          'Only visits that went on with these, in this order: pages, or events as `event:signup`; with commas, ' +
            '\\, is literal. With depth at most 4.',
        ),
      ),
    ),
    limit: limitSchema(100, 10),
  },
  segment: ({ page: _, ...filters }) => readSegment(filters),
  data: dataSchema,
  metrics: [],
  named: { sessions: 'path_sessions', share: 'path_share', exits: 'path_exits', entries: 'path_entries' },
  run: async ({ query: asked, readPaths, of, comparison, context, limited, shared }) => {
    const { page, via, direction, depth, include, limit } = asked
    const { starts, walked } = readSteps(page, via, depth)
    const resolved = await lookUp([...starts, ...walked], context.read, { keepQuery: context.keepQuery })
    const unmatched = limited ? [] : await nearestValues(unmatchedIn(resolved), context.read, {})
    const least = shared ? leastVisits : 2
    const start = page === undefined ? null : resolved.slice(0, starts.length).flatMap(({ ids }) => ids.flat())
    const request = { direction, include, start, via: resolved.slice(starts.length).map(nodesOf), least, depth, limit }
    const [rows, compared] = await Promise.all([
      readNodes(readPaths(request)),
      comparison === null ? () => ({}) : compareNodes(comparison.parts, request, of),
    ])
    const [first] = rows
    const isFew = first !== undefined && first.sessions > 0 && first.sessions < least
    const isOwnPath = isFew && (walked.length > 0 || (shared && page !== undefined))
    const total = first?.sessions ?? 0
    const steps = Array.from({ length: depth }, (_, index) =>
      isOwnPath
        ? []
        : rows
            .filter(({ step }) => step === index + 1)
            .map(row => ({
              ...namesOf(row, include !== 'pages', shared ? few : sums.single),
              sessions: row.sessions,
              share: ratio(row.sessions, total),
              ...endsOf(direction, row),
              ...compared(row),
            })),
    )
    return {
      data: {
        start: {
          page: page ?? null,
          via: walked.map(({ values }) => values.map(({ raw }) => raw).join()),
          sessions: isOwnPath ? null : total,
          ...(first !== undefined && !isOwnPath && { ...endsOf(direction, first), ...compared(first) }),
        },
        steps,
        truncated: rows.some(({ kind }) => kind === 'other'),
      },
      unmatched,
    }
  },
})
