import type { Db } from '../database/query.ts'
import type { Job } from './job.ts'
import type { JobRunner } from './run.ts'
import { isOverdue } from './schedule.ts'
import type { Timed } from './scheduler.ts'
import { jobStates } from './state.ts'
import type { Zone } from '../lib/time.ts'

/** Jobs that should have run while nothing did. */
export const overdueJobs = (jobs: readonly Job[], db: Db, zone: Zone, now: number): Job[] => {
  const states = jobStates(db)
  return jobs.filter(job => isOverdue(job, states.get(job.name), zone, now))
}

export const timedJobs = (jobs: readonly Job[], run: JobRunner): Timed[] =>
  jobs.map(job => ({
    name: job.name,
    schedule: job.schedule,
    run: async () => {
      await run([job])
    },
  }))
