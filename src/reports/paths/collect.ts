// Reads the paths of the selected sessions that began on the days of a range, from packed days and from rows.
import * as v from 'valibot'
import { type Db, iterate, none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { Run, Tracer } from '../../database/trace.ts'
import type { Reached } from '../../goals/reached.ts'
import type { Day, Zone } from '../../lib/time.ts'
import type { PackedDays } from '../../packed/packed-days.ts'
import sqlText from '../../sql/paths-collect.sql'
import type { PathRequest, SegmentNumbers } from '../messages.ts'
import type { Range } from '../range.ts'
import { selectDay, spanWithin } from '../segment-days.ts'
import { loadSessionIds } from '../segment-filters.ts'
import { createPathSums, type PathSums } from './walk.ts'

const sql = statements(sqlText)

const count = v.number()
const addQuery = query(
  sql('segment.path-node.add'),
  v.object({ step: count, kind: v.string(), id: count, sessions: count, ends: count }),
)
const stepsQuery = query(
  sql('segment.path-step.list'),
  v.object({ start: count, end: count, first_view_id: count, events: count }),
  v.object({ session: count, node: count, began: count, ended: count }),
)
const pageNamesQuery = query(sql('segment.page-names.list'), none, v.object({ id: count, same: count }))

/** One number for all pages of one name. */
type NodeOf = (page: number) => number

const readNodes = (db: Db): NodeOf => {
  const same = new Map<number, number>()
  for (const row of iterate(db, pageNamesQuery, {})) same.set(row.id, row.same)
  return same.size === 0 ? page => page : page => same.get(page) ?? page
}

type Input = {
  zone: Zone
  /** Cuts the first day of the range at this time of day, in seconds; null for whole days. */
  since: number | null
  /** Cuts each day: sessions that began from this time of day on do not count. */
  until: number | null
  range: Range
  days: readonly Day[]
  filters: SegmentNumbers
  /** The sessions that a filter by goals selects. */
  reached: Reached | null
  packedDays: PackedDays
  paths: PathRequest
  run: Run
  trace: Tracer
}

/** @returns the days that are not packed, or hold more than what is packed */
const addPackedDays = (
  { since, until, range, days, packedDays, paths }: Input,
  nodeOf: NodeOf,
  sums: PathSums,
): readonly Day[] =>
  days.filter(day => {
    if (until !== null || (since !== null && day === range.from)) return true
    return !packedDays.readPaths(day, { withEvents: paths.include !== 'pages', nodeOf }, sums.add)
  })

const addRows = (
  db: Db,
  { zone, since, until, range, filters, paths, run, trace }: Input,
  days: readonly Day[],
  nodeOf: NodeOf,
  sums: PathSums,
): void => {
  const spans = days.map(day => spanWithin(zone, day, day === range.from ? since : null, until))
  spans.forEach((span, index) => {
    selectDay(db, filters, span, spans[index - 1]?.end === span.start, run)
    const { start, end, first_view_id } = span
    const params = { start, end, first_view_id, events: Number(paths.include !== 'pages') }
    const path: number[] = []
    const read = (): number => {
      let rows = 0
      let current = { session: 0, began: 0, ended: 0 }
      const close = (): void => sums.add(path, path.length, current.began === 1, current.ended === 1)
      for (const row of iterate(db, stepsQuery, params)) {
        if (row.session !== current.session) {
          close()
          path.length = 0
          current = row
        }
        path.push(row.node > 0 ? nodeOf(row.node) : row.node)
        rows += 1
      }
      close()
      return rows
    }
    trace(db, { sql: stepsQuery.sql, params }, read, true)
  })
}

/** Fills temp.path_node. */
export const collectPaths = (db: Db, input: Input): void => {
  const { paths, reached, run } = input
  const nodeOf = readNodes(db)
  const sums = createPathSums({
    ...paths,
    start: paths.start?.map(nodeOf) ?? null,
    via: paths.via.map(({ kind, ids }) => ({ kind, ids: kind === 'page' ? ids.map(nodeOf) : ids })),
  })
  const unpacked = addPackedDays(input, nodeOf, sums)
  if (reached !== null && unpacked.length > 0) loadSessionIds(reached.idsOn(unpacked), run)
  addRows(db, input, unpacked, nodeOf, sums)
  for (const row of sums.rows()) run(addQuery, row)
}
