import { UsageError } from '../config/errors.ts'
import { isCode } from '../database/errors.ts'

const expected = /^(Usage|Command|Database|Identity|JwtKey)Error$/
const bugs = /^(Type|Range|Reference|Syntax)Error$/
const bugHint = 'This is a bug in Footfall. Please report it with the output of --log-level debug.'

/** The text printed for an error that ended a command. Stacks are shown only on request, as they hide the message. */
export const failureText = (error: unknown, withStack: boolean): string => {
  if (!(error instanceof Error)) return String(error)
  if (withStack && !expected.test(error.name)) return error.stack ?? error.message
  if (isCode(error, 'SQLITE_CORRUPT'))
    return "The database is damaged. See 'footfall diagnostics', or replace it with a backup: 'footfall restore FILE'."
  if (error.name === 'SqliteError') return `The database could not be used: ${error.message}.`
  return bugs.test(error.name) ? `${error.message}\n${bugHint}` : error.message
}

export const exitCodeOf = (error: unknown): number => (error instanceof UsageError ? 2 : 1)
