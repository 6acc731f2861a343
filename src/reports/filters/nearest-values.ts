// Known values that may be meant by one that nothing in the file has.
import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { nearestOf } from '../../lib/nearest.ts'
import sqlText from '../../sql/nearest-values.sql'
import type { Segment } from '../condition.ts'
import type { ReportContext } from '../context.ts'
import { bindParameters, type ReadOptions } from '../pool.ts'
import { gap } from './syntax.ts'

const sql = statements(sqlText)

/** A value of a filter that nothing in the file has, with up to three that are known. */
export type Unmatched = { key: string; value: string; nearest: string[] }

type Unknown = { condition: Segment[number]; raw: string; text: string }

const nearQuery = query(
  sql('filter.near-values'),
  v.object({
    key: v.string(),
    property: v.nullable(v.string()),
    start: v.string(),
    length: v.number(),
    limit: v.number(),
  }),
  v.object({ text: v.string() }),
)

/** Comparing costs time with the length of both texts, so that only a few short ones are compared. */
const maxCompared = { values: 3, length: 80, candidates: 200 }
const maxNearest = 3
const startLength = 4

const isComparable = ({ text }: Unknown): boolean => !text.includes(gap) && text.length <= maxCompared.length

export const nearestValues = async (
  unknown: readonly Unknown[],
  read: ReportContext['read'],
  options: ReadOptions,
): Promise<Unmatched[]> => {
  const compared = unknown.filter(isComparable).slice(0, maxCompared.values)
  const candidates =
    compared.length === 0
      ? []
      : await read(
          compared.map(({ condition, text }) =>
            bindParameters(nearQuery, {
              key: condition.key,
              property: condition.key === 'property' ? condition.property : null,
              start: text.toLowerCase().slice(0, startLength),
              length: text.length,
              limit: maxCompared.candidates,
            }),
          ),
          options,
        )
  return unknown.map(one => {
    const rows = candidates[compared.indexOf(one)] ?? []
    const known = rows.map(({ text }) => text).filter(text => text.length <= maxCompared.length)
    return { key: one.condition.name, value: one.raw, nearest: nearestOf(one.text, known, maxNearest) }
  })
}
