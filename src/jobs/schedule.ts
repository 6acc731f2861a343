import { Cron } from 'croner'
import type { Db } from '../database/query.ts'
import type { Zone } from '../lib/time.ts'
import type { Job, JobRunner } from './run.ts'
import { type JobState, jobStates, noteJobsSince } from './state.ts'

/** Seconds that a job may be late before it counts as stale. */
const grace = 300

/** When a job is due next after a time, in seconds since 1970; null if never. */
export const nextRun = ({ schedule }: Job, zone: Zone, after: number): number | null => {
  const next = new Cron(schedule, { timezone: zone.name, paused: true }).nextRun(new Date(after * 1000))
  return next === null ? null : Math.floor(next.getTime() / 1000)
}

/** A job, what is known of its last run, and since when it is due if it never ran; null if unknown. */
export type Planned = { job: Job; state: JobState | undefined; since: number | null }

/** When a job should have run, in seconds since 1970; null if nothing says so. */
export const dueAt = ({ job, state, since }: Planned, zone: Zone): number | null => {
  const after = state?.last_run ?? since
  return after === null ? null : nextRun(job, zone, after)
}

/** A job that should have run since it ran last, or since the first start. */
export const isOverdue = (planned: Planned, zone: Zone, now: number): boolean => {
  const due = dueAt(planned, zone)
  return due !== null && due < now
}

/** A job that is late by more than the grace period. */
export const isStale = (planned: Planned, zone: Zone, now: number): boolean => isOverdue(planned, zone, now - grace)

/** Work that runs on a schedule, in croner's notation. */
export type Timed = { name: string; schedule: string; run: () => void | Promise<void> }

/** Jobs that should have run while the service was down, and those of every start. */
export const overdueJobs = (jobs: readonly Job[], db: Db, zone: Zone, now: number): Job[] => {
  const states = jobStates(db)
  const since = noteJobsSince(db, now)
  return jobs.filter(job => job.atStart === true || isOverdue({ job, state: states.get(job.name), since }, zone, now))
}

export const timedJobs = (jobs: readonly Job[], run: JobRunner): Timed[] =>
  jobs.map(job => ({
    name: job.name,
    schedule: job.schedule,
    run: async () => {
      await run([job])
    },
  }))

/** Starts the schedules; work that fails is reported and runs again at its next time. */
export const startTimed = (
  list: readonly Timed[],
  timezone: string,
  onError: (name: string, error: unknown) => void,
): { stop: () => void } => {
  const started = list.map(
    ({ name, schedule, run }) =>
      new Cron(schedule, { timezone, protect: true, catch: error => onError(name, error) }, run),
  )
  return { stop: () => started.forEach(one => one.stop()) }
}
