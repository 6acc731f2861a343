import { Cron } from 'croner'

/** Something done by the clock; `schedule` in croner's notation. */
export type Timed = { name: string; schedule: string; run: () => void | Promise<void> }

/** Starts what is done by the clock; one that fails is reported and runs again at its next time. */
export const startTimed = (
  list: readonly Timed[],
  timezone: string,
  failed: (name: string, error: unknown) => void,
): { stop: () => void } => {
  const started = list.map(
    ({ name, schedule, run }) =>
      new Cron(schedule, { timezone, protect: true, catch: error => failed(name, error) }, run),
  )
  return { stop: () => started.forEach(one => one.stop()) }
}
