import { Cron } from 'croner'

/** Work that the service does by itself, by the clock. One row a job. */
export type Job = { name: string, schedule: string, run: () => void }

/** Starts the jobs; one that fails is reported and runs again at its next time. */
export const startJobs = (jobs: readonly Job[], failed: (name: string, error: unknown) => void): { stop: () => void } => {
  const started = jobs.map(({ name, schedule, run }) => new Cron(schedule, { protect: true, catch: error => failed(name, error) }, run))
  return { stop: () => started.forEach(job => job.stop()) }
}
