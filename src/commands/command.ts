import type { CommandName, Environment, Flags } from '../config/config.ts'
import type { Clock } from '../lib/time.ts'

/** What a command may use of the outside world. */
export type Terminal = {
  env: Environment
  clock: Clock
  /** A line on the standard output: what was asked for. */
  print: (line: string) => void
  /** A line on the standard error: all else. */
  warn: (line: string) => void
  /** The first line of the standard input, undefined if there is none. */
  readLine: () => Promise<string | undefined>
  /** From now on an unexpected error shows where it came from. */
  showStacks: () => void
}

/** Positional arguments as typed, and flags by the name commander gives them (--password-stdin is passwordStdin). */
export type Call = Terminal & { args: readonly string[]; flags: Flags }

/** A flag of one command only; shared flags are in the option table of src/config. */
export type OwnFlag = { flag: string; about: string; default?: string; required?: boolean }

export type Command = {
  name: string
  /** Such as '<LOGIN>', or '[LOGIN]' if it may be left out. */
  arguments?: readonly string[]
  about: string
  flags?: readonly OwnFlag[]
  /** Gives the exit code: 0 fine, 1 a finding or failure. */
  run: (call: Call) => number | Promise<number>
}

/** A command that the user names by two words, `footfall user add`. */
export type Group = {
  name: CommandName
  about: string
  commands: readonly Command[]
  /** The command that runs when none is named. */
  standard?: string
}

export type Entry = Command | Group

/** An expected failure: its sentence says what to do. It is printed alone, with exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError'
}
