import type { Log, LogFields } from '../../runtime/log.ts'
import { tracesIn } from './scan.ts'

const most = 500

/** Where the service itself listens is no visitor's address. */
const own = 'url'

/** A log whose last entries are looked through for what must never be in them; only counts come out. */
export type WatchedLog = { log: Log; traces: () => { lines: number; addresses: number; userAgents: number } }

export const watchLog = (log: Log): WatchedLog => {
  const last: string[] = []
  const watched =
    (level: keyof Log) =>
    (message: string, fields: LogFields = {}): void => {
      last.push(
        [
          message,
          ...Object.entries(fields)
            .filter(([name]) => name !== own)
            .map(([, value]) => value),
        ].join(' '),
      )
      if (last.length > most) last.shift()
      log[level](message, fields)
    }
  return {
    log: { error: watched('error'), warn: watched('warn'), info: watched('info'), debug: watched('debug') },
    traces: () => {
      const found = last.map(tracesIn)
      return {
        lines: last.length,
        addresses: found.filter(({ address }) => address).length,
        userAgents: found.filter(({ userAgent }) => userAgent).length,
      }
    },
  }
}
