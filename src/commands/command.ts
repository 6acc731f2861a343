import type { CommandName, Environment, Flags } from '../config/config.ts'
import type { Clock } from '../lib/time.ts'
import type { Log } from '../runtime/log.ts'

/** The environment of a command: everything it reads and writes besides its files. */
export type Terminal = {
  env: Environment
  clock: Clock
  /** Writes a line to standard output: the result. */
  print: (line: string) => void
  /** Writes a line to standard error: everything else. */
  warn: (line: string) => void
  /** Reads the first line of standard input; undefined if there is none. */
  readLine: () => Promise<string | undefined>
  /**
   * Reads lines of standard input until it ends, or fails when the signal is aborted. Null stands for a line of more
   * than `limit` bytes.
   */
  readLines: (limit: number, signal: AbortSignal) => AsyncIterable<string | null>
  /** Writes the error that ends the command to a log from now on, instead of printing it. */
  logFailure: (log: Pick<Log, 'error'>) => void
  /** Prints stack traces of unexpected errors from now on. */
  showStacks: () => void
}

/** Positional arguments, and flags under the names commander gives them (--password-stdin is passwordStdin). */
export type Call = Terminal & { args: readonly string[]; flags: Flags }

/** A flag of one command; shared flags are in the option table of src/config. */
export type OwnFlag = {
  flag: string
  about: string
  default?: string
  required?: boolean
  /** May be given several times: the values are joined by commas. */
  list?: boolean
}

export type Command = {
  name: string
  /** A whole command line without 'footfall', for --help. */
  example: string
  /** Such as '<LOGIN>', or '[LOGIN]' if it is optional. */
  arguments?: readonly string[]
  about: string
  flags?: readonly OwnFlag[]
  /** Returns the exit code: 0 for success, 1 for a finding or a failure. */
  run: (call: Call) => number | Promise<number>
}

/** A command with subcommands, such as `footfall user add`. */
export type Group = {
  name: CommandName
  about: string
  commands: readonly Command[]
  /** The subcommand that runs when none is given. */
  defaultCommand?: string
}

export type Entry = Command | Group
