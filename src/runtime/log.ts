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

/** Returns a handler that logs an error as the failure of an operation. */
export const logFailure =
  (log: Log, what: string) =>
  (error: unknown): void =>
    log.error(`${what} failed`, { reason: errorText(error) })
