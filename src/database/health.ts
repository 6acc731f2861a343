import * as v from 'valibot'
import checkHealth from '../sql/health.check.sql'
import { get, query, type Db } from './query.ts'

const healthQuery = query(checkHealth, v.object({}), v.object({ tables: v.number() }))

/** Whether the file answers. */
export const isHealthy = (db: Db): boolean => {
  try {
    return get(db, healthQuery, {}) !== undefined
  } catch {
    return false
  }
}
