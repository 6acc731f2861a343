import { escapeControls } from '../lib/controls.ts'
import { errorText } from '../lib/errors.ts'
import type { Clock } from '../lib/time.ts'

export const logLevels = ['error', 'warn', 'info', 'debug'] as const

export type LogLevel = (typeof logLevels)[number]

export type LogFields = Readonly<Record<string, string | number | boolean | null>>

type Write = (message: string, fields?: LogFields) => void

export type Log = Readonly<Record<LogLevel, Write>>

type Options = {
  level: LogLevel
  format: 'text' | 'json'
  /** Writes one line, including its line break. */
  write: (line: string) => void
  clock: Clock
}

/** Quotes a value as JSON if it contains anything but word characters and common punctuation. */
const word = (value: string | number | boolean | null): string =>
  typeof value === 'string' && !/^[\w./:@+-]+$/.test(value) ? JSON.stringify(value) : String(value)

const asText = (time: string, level: LogLevel, message: string, fields: LogFields): string =>
  escapeControls(
    [time, level.padEnd(5), message, ...Object.entries(fields).map(([key, value]) => `${key}=${word(value)}`)].join(
      ' ',
    ),
  )

const asJson = (time: string, level: LogLevel, message: string, fields: LogFields): string => {
  const own = { time, level, message }
  return escapeControls(JSON.stringify({ ...own, ...fields, ...own }))
}

/**
 * A log with one line per entry, as text or JSON. Private data must never be logged: no address, user agent, visitor
 * hash, password or token, and nothing from a visitor's request except counts and reasons.
 */
export const createLog = ({ level, format, write, clock }: Options): Log => {
  const line = format === 'json' ? asJson : asText
  const at = (own: LogLevel): Write =>
    logLevels.indexOf(own) > logLevels.indexOf(level)
      ? () => {}
      : (message, fields = {}) => write(`${line(new Date(clock()).toISOString(), own, message, fields)}\n`)
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

/** Milliseconds for which equal errors are counted instead of written. */
const minute = 60_000
/** Errors that are watched at a time; others are written each. */
const maxWatched = 100

const everyMinute = (work: () => void): (() => void) => {
  const timer = setInterval(work, minute).unref()
  return () => clearInterval(timer)
}

/**
 * A log whose errors are not repeated: of those with the same message and reason the first is written, then one a
 * minute with their number while they go on, then a line that they have ended.
 * @param repeat starts work that runs every minute, and returns what stops it
 */
export const limitRepeats = (log: Log, repeat: (work: () => void) => () => void = everyMinute): Log => {
  const counts = new Map<string, number>()

  const watch = (key: string, message: string, reason: LogFields): void => {
    counts.set(key, 0)
    const stop = repeat(() => {
      const times = counts.get(key) ?? 0
      counts.set(key, 0)
      if (times > 0) return log.error(message, { ...reason, times })
      stop()
      counts.delete(key)
      log.info(`${message}: not in the last minute`, reason)
    })
  }

  return {
    ...log,
    error: (message, fields = {}) => {
      const reason = fields.reason === undefined ? fields : { reason: fields.reason }
      const key = JSON.stringify([message, reason])
      const times = counts.get(key)
      if (times !== undefined) return void counts.set(key, times + 1)
      log.error(message, fields)
      if (counts.size < maxWatched) watch(key, message, reason)
    },
  }
}

/** Returns a handler that logs an error as the failure of an operation. */
export const logFailure =
  (log: Log, what: string) =>
  (error: unknown): void =>
    log.error(`${what} failed`, { reason: errorText(error) })
