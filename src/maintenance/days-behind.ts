import type { Log } from '../runtime/log.ts'

/** Tells of long work now and then: after an import, a change of the time zone, or a long time without a start. */
export const daysBehind = (log: Log) => {
  let told = 0
  return (left: number): void => {
    if (left > 0 && told === 0) log.info('past days are derived anew; their reports follow', { days: left })
    else if (told > 0 && left === 0) log.info('all days are derived')
    else if (left > 0 && left <= told - 100) log.info('past days are derived anew', { days_left: left })
    else return
    told = left
  }
}
