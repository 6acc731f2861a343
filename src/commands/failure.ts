import { UsageError } from '../config/config.ts'
import { codeOf, isCode } from '../database/errors.ts'
import { ExpectedError } from '../lib/errors.ts'

const bugs = /^(Type|Range|Reference|Syntax)Error$/
const bugHint = 'This is a bug in Footfall. Please report it with the output of --log-level debug.'

/** The text to print for an error that ended a command. Stacks are shown only on request: they obscure the message. */
export const failureText = (error: unknown, withStack: boolean): string => {
  if (!(error instanceof Error)) return String(error)
  if (withStack && !(error instanceof ExpectedError)) return error.stack ?? error.message
  if (isCode(error, 'SQLITE_CORRUPT'))
    return "The database is damaged. Run 'footfall diagnostics', or restore a backup with 'footfall restore FILE'."
  if (error.name === 'SqliteError') return `The database could not be used: ${error.message} (${codeOf(error)}).`
  return bugs.test(error.name) ? `${error.message}\n${bugHint}` : error.message
}

export const exitCodeOf = (error: unknown): number => (error instanceof UsageError ? 2 : 1)
