import type { Db } from '../../database/query.ts'
import { jobs } from '../../jobs/list.ts'
import { dueAt, isStale, nextRun } from '../../jobs/schedule.ts'
import { jobsSince, jobStates as readStates } from '../../jobs/state.ts'
import type { Zone } from '../../lib/time.ts'

/** Times in seconds since 1970; `dueAt`: when a stale job should have run. */
export type JobState = {
  name: string
  schedule: string
  lastRun: number | null
  lastDurationMs: number | null
  lastError: string | null
  nextRun: number | null
  stale: boolean
  dueAt: number | null
}

/** All jobs with their last and next runs. */
export const jobStates = (db: Db, zone: Zone, now: number): JobState[] => {
  const states = readStates(db)
  const since = jobsSince(db)
  return jobs.map(job => {
    const state = states.get(job.name)
    const planned = { job, state, since }
    return {
      name: job.name,
      schedule: job.schedule,
      lastRun: state?.last_run ?? null,
      lastDurationMs: state?.last_duration_ms ?? null,
      lastError: state?.last_error ?? null,
      nextRun: nextRun(job, zone, now),
      stale: isStale(planned, zone, now),
      dueAt: dueAt(planned, zone),
    }
  })
}
