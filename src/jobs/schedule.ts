import { Cron } from 'croner'
import type { Zone } from '../lib/time.ts'
import type { Job } from './job.ts'
import type { JobState } from './state.ts'

/** How late a job may be before it counts as stale, in seconds: twice over and a bit. */
const grace = 300

/** The next second at which a job is due after a moment; null if never. */
export const nextRun = ({ schedule }: Job, zone: Zone, after: number): number | null => {
  const next = new Cron(schedule, { timezone: zone.name, paused: true }).nextRun(new Date(after * 1000))
  return next === null ? null : Math.floor(next.getTime() / 1000)
}

/** A job that should have run since it ran last. */
export const isOverdue = (job: Job, state: JobState | undefined, zone: Zone, now: number): boolean => {
  const due = state === undefined ? null : nextRun(job, zone, state.last_run)
  return due !== null && due < now
}

/** A job that is late though somebody should have run it. */
export const isStale = (job: Job, state: JobState | undefined, zone: Zone, now: number): boolean =>
  isOverdue(job, state, zone, now - grace)
