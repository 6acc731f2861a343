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
  /** Takes one line with its line break. */
  write: (line: string) => void
  clock: Clock
}

/** A value that could be mistaken for more than one word, or break the line, is quoted as JSON does. */
const word = (value: string | number | boolean | null): string =>
  typeof value === 'string' && !/^[\w./:@+-]+$/.test(value) ? JSON.stringify(value) : String(value)

/** JSON leaves U+2028 and U+2029 and the C1 controls as they are; some terminals break or obey them. */
const oneLine = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const asText = (time: string, level: LogLevel, message: string, fields: LogFields): string =>
  oneLine(
    [time, level.padEnd(5), message, ...Object.entries(fields).map(([key, value]) => `${key}=${word(value)}`)].join(
      ' ',
    ),
  )

const asJson = (time: string, level: LogLevel, message: string, fields: LogFields): string => {
  const own = { time, level, message }
  return JSON.stringify({ ...own, ...fields, ...own })
}

/**
 * A log of one line an entry, as text or as JSON. It is never given private data: no address, no user agent,
 * no visitor hash, no password or token, nothing from a visitor's request but counts and reasons.
 */
export const createLog = ({ level, format, write, clock }: Options): Log => {
  const line = format === 'json' ? asJson : asText
  const at = (own: LogLevel): Write =>
    logLevels.indexOf(own) > logLevels.indexOf(level)
      ? () => {}
      : (message, fields = {}) => write(`${line(new Date(clock()).toISOString(), own, message, fields)}\n`)
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

/** Logs an error of some work, named by what it was doing. */
export const logFailure =
  (log: Log, what: string) =>
  (error: unknown): void =>
    log.error(`${what} failed`, { reason: errorText(error) })
