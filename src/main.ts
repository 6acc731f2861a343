// The entry point: runs the command line, and turns an error into a message and an exit code.
import { addAbortSignal } from 'node:stream'
import { runCommandLine } from './commands/cli.ts'
import { exitCodeOf, failureText } from './commands/failure.ts'
import { commands } from './commands.ts'
import { escapeForTerminal } from './lib/controls.ts'
import { splitLines } from './lib/split-lines.ts'
import { userArguments } from './runtime/assets.ts'

/** Bytes of a line read from standard input. */
const maxInput = 2 ** 20

// As `ps` shows it, whatever the executable is called.
process.title = 'footfall'

let withStacks = false
let printed = true

const warn = (line: string): void => {
  process.stderr.write(`${escapeForTerminal(line)}\n`)
}

const fail = (error: unknown): number => {
  warn(failureText(error, withStacks))
  return exitCodeOf(error)
}

const readLine = async (): Promise<string | undefined> => {
  for await (const line of splitLines(process.stdin, maxInput)) {
    if (line === null) throw new Error('The first line of standard input is longer than 1 MiB.')
    return line.replace(/\r$/, '')
  }
  return undefined
}

// Node would print the whole source line of the bundle. Unhandled rejections also arrive here.
process.on('uncaughtException', error => process.exit(fail(error)))

// A closed pipe (footfall … | head) is not a failure, and a log that cannot be written must not end the service.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  printed &&= error.code === 'EPIPE'
})
process.stderr.on('error', () => {})
process.on('exit', code => {
  if (code === 0 && !printed) process.exitCode = 1
})

const terminal = {
  env: process.env,
  clock: Date.now,
  print: (line: string): void => {
    process.stdout.write(`${escapeForTerminal(line)}\n`)
  },
  warn,
  readLine,
  readLines: (limit: number, signal: AbortSignal) => splitLines(addAbortSignal(signal, process.stdin), limit),
  showStacks: (): void => {
    withStacks = true
  },
}

// A command that failed may have left a timer or a thread running, hence exit().
runCommandLine(commands, userArguments(), terminal).then(
  code => {
    process.exitCode = code
  },
  error => process.exit(fail(error)),
)
