import type { Db } from '../database/query.ts'
import { errorText } from '../lib/errors.ts'
import { toSeconds, type Clock } from '../lib/time.ts'
import type { Job, JobTools } from './job.ts'
import { saveJobState } from './state.ts'

export type JobResult = { name: string; ok: boolean; duration_ms: number; message: string }

/** Runs jobs one after the other, each not more than once at a time, and keeps how it went. */
export type JobRunner = (wanted: readonly Job[]) => Promise<JobResult[]>

/** A file that cannot be written now keeps no account of jobs; it must not end the service. */
const noted = (db: Db, last_run: number, ran: JobResult): JobResult => {
  try {
    saveJobState(db, {
      name: ran.name,
      last_run,
      last_duration_ms: ran.duration_ms,
      last_error: ran.ok ? null : ran.message,
    })
    return ran
  } catch (error) {
    return { ...ran, ok: false, message: `${ran.message} Its run could not be noted: ${errorText(error)}` }
  }
}

/** @param ended is told of each run */
export const createJobRunner = (
  db: Db,
  clock: Clock,
  tools: JobTools,
  ended: (result: JobResult) => void,
): JobRunner => {
  const running = new Map<string, Promise<JobResult>>()

  const runOne = async ({ name, run }: Job): Promise<JobResult> => {
    const last_run = toSeconds(clock())
    const started = performance.now()
    const took = (): number => Math.round(performance.now() - started)
    const outcome = await run(tools).then(
      message => ({ ok: true, message }),
      (error: unknown) => ({ ok: false, message: errorText(error) }),
    )
    const ran = noted(db, last_run, { name, ...outcome, duration_ms: took() })
    ended(ran)
    return ran
  }

  const start = (job: Job): Promise<JobResult> => {
    const started = runOne(job).finally(() => running.delete(job.name))
    running.set(job.name, started)
    return started
  }

  return async wanted => {
    const results: JobResult[] = []
    for (const job of wanted) results.push(await (running.get(job.name) ?? start(job)))
    return results
  }
}
