import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/dimension-rows.sql'
import { countRow, figureColumns, pageColumns } from './breakdown.ts'
import { bindParameters } from './pool.ts'

const sql = statements(sqlText)

const dimensionParam = { dimension: v.string() }
const topQuery = query(
  sql('dimensions.top'),
  v.object({ ...dimensionParam, ...pageColumns }),
  v.object({
    key: v.nullable(v.string()),
    country: v.nullable(v.string()),
    ...figureColumns,
  }),
  { reads: ['dimension_rollup', 'period'] },
)
const countQuery = query(sql('dimensions.count'), v.object(dimensionParam), countRow, {
  reads: ['dimension_rollup', 'period'],
})

export const dimensionRows = (dimension: string, limit: number, offset: number) =>
  bindParameters(topQuery, { dimension, limit, offset })

export const dimensionCount = (dimension: string) => bindParameters(countQuery, { dimension })
