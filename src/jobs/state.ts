import * as v from 'valibot'
import { all, type Db, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/job.sql'

const sql = statements(sqlText)

const row = v.object({
  name: v.string(),
  last_run: v.number(),
  last_duration_ms: v.number(),
  last_error: v.nullable(v.string()),
})
const listQuery = query(sql('list'), none, row)
const saveQuery = query(sql('save'), row)

/** When a job started last (seconds since 1970), how long it took, and its error. */
export type JobState = v.InferOutput<typeof row>

export const jobStates = (db: Db): ReadonlyMap<string, JobState> =>
  new Map(all(db, listQuery, {}).map(state => [state.name, state]))

export const saveJobState = (db: Db, state: JobState): void => {
  run(db, saveQuery, state)
}
