// The rows of counted paths, and how many sessions came to the same nodes in another range.
import * as v from 'valibot'
import { none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { ratioSchema } from '../../http/schemas.ts'
import sqlText from '../../sql/paths-nodes.sql'
import type { Part } from '../compare.ts'
import type { PathRequest } from '../messages.ts'
import { change } from '../numbers.ts'
import { bindParameters, type Read } from '../pool.ts'
import type { PartReader } from '../read-part.ts'

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
export type NodeRow = v.InferOutput<typeof nodesQuery.row>

export const readNodes = async (read: Read): Promise<NodeRow[]> => (await read([bindParameters(nodesQuery, {})]))[0]

/** Fields that a node has in a comparison. */
export const comparedNode = {
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
export const compareNodes = async (
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
