import * as v from 'valibot'
import { query } from '../database/query.ts'
import countDimension from '../sql/dimensions.count.sql'
import topDimension from '../sql/dimensions.top.sql'
import { countRow, figureColumns, pageColumns } from './breakdown.ts'
import { bindParameters } from './pool.ts'

const dimensionParam = { dimension: v.string() }
const topQuery = query(
  topDimension,
  v.object({ ...dimensionParam, ...pageColumns }),
  v.object({
    key: v.nullable(v.string()),
    country: v.nullable(v.string()),
    ...figureColumns,
  }),
  { reads: ['dimension_rollup', 'period'] },
)
const countQuery = query(countDimension, v.object(dimensionParam), countRow, { reads: ['dimension_rollup', 'period'] })

export const dimensionRows = (dimension: string, limit: number, offset: number) =>
  bindParameters(topQuery, { dimension, limit, offset })

export const dimensionCount = (dimension: string) => bindParameters(countQuery, { dimension })
