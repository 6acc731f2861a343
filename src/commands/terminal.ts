// What a command reads and prints, over the streams of a process; and how its errors end it.
import { addAbortSignal, type Readable } from 'node:stream'
import { escapeForTerminal } from '../lib/controls.ts'
import { splitLines } from '../lib/split-lines.ts'
import type { Terminal } from './command.ts'
import { exitCodeOf, failureText } from './failure.ts'

/** Bytes of a line read from standard input. */
const maxInput = 2 ** 20

type Streams = Pick<Terminal, 'env' | 'clock'> & {
  writeOutput: (text: string) => void
  writeError: (text: string) => void
  /** Called when a command reads it. */
  openInput: () => Readable
}

const firstLine = async (input: Readable): Promise<string | undefined> => {
  for await (const line of splitLines(input, maxInput)) {
    if (line === null) throw new Error('The first line of standard input is longer than 1 MiB.')
    return line.replace(/\r$/, '')
  }
  return undefined
}

/** A terminal, and a function that prints an error and returns the exit code. */
export const createTerminal = ({
  env,
  clock,
  writeOutput,
  writeError,
  openInput,
}: Streams): { terminal: Terminal; fail: (error: unknown) => number } => {
  let withStacks = false
  let printFailure = (text: string): void => warn(text)
  const warn = (line: string): void => writeError(`${escapeForTerminal(line)}\n`)
  return {
    terminal: {
      env,
      clock,
      print: line => writeOutput(`${escapeForTerminal(line)}\n`),
      warn,
      readLine: () => firstLine(openInput()),
      readLines: (limit, signal) => splitLines(addAbortSignal(signal, openInput()), limit),
      logFailure: log => {
        printFailure = log.error
      },
      showStacks: () => {
        withStacks = true
      },
    },
    fail: error => {
      printFailure(failureText(error, withStacks))
      return exitCodeOf(error)
    },
  }
}
