import type { Log, LogFields } from '../../runtime/log.ts'
import { tracesIn } from './scan.ts'

const maxLines = 500

/** The field with the service's own address, which is not a visitor's. */
const ownAddressField = 'url'

/** A log that counts the recent entries with personal data of visitors. */
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
            .filter(([name]) => name !== ownAddressField)
            .map(([, value]) => value),
        ].join(' '),
      )
      if (last.length > maxLines) last.shift()
      log[level](message, fields)
    }
  return {
    log: { error: watched('error'), warn: watched('warn'), info: watched('info'), debug: watched('debug') },
    traces: () => {
      const traces = last.map(tracesIn)
      return {
        lines: last.length,
        addresses: traces.filter(({ address }) => address).length,
        userAgents: traces.filter(({ userAgent }) => userAgent).length,
      }
    },
  }
}
