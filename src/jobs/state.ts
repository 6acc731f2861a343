import * as v from 'valibot'
import { all, type Db, none, query, run } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
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

const sinceSchema = v.object({ since: v.number() })

/** Since when a job that never ran is due, in seconds since 1970; null if no service has run on the file. */
export const jobsSince = (db: Db): number | null => loadState(db, 'jobs', sinceSchema)?.since ?? null

/** Records the first start on a file. Of a file from before this was recorded, the oldest run of a job is the first sign. */
export const noteJobsSince = (db: Db, now: number): number => {
  const noted = jobsSince(db)
  if (noted !== null) return noted
  const since = Math.min(now, ...[...jobStates(db).values()].map(({ last_run }) => last_run))
  saveState(db, 'jobs', { since })
  return since
}
