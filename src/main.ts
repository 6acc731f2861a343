// The command line: what was typed goes to src/commands; errors that end it become a sentence and an exit code here.
import { createInterface } from 'node:readline'
import { userArguments } from './runtime/assets.ts'
import { exitCodeOf, failureText } from './commands/failure.ts'
import { runCommandLine } from './commands/cli.ts'
import { commands } from './commands/index.ts'

let withStacks = false
let printed = true

const warn = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const fail = (error: unknown): number => {
  warn(failureText(error, withStacks))
  return exitCodeOf(error)
}

const readLine = async (): Promise<string | undefined> => {
  for await (const line of createInterface({ input: process.stdin })) return line
  return undefined
}

// Node would print the whole source line of the bundle. An unhandled rejection comes here too.
process.on('uncaughtException', error => process.exit(fail(error)))

// A reader that has gone (footfall … | head) is no failure, and a log that cannot be written must not end the service.
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
    process.stdout.write(`${line}\n`)
  },
  warn,
  readLine,
  showStacks: (): void => {
    withStacks = true
  },
}

// A command that failed half-way may have left a timer or a thread behind, hence exit().
runCommandLine(commands, userArguments(), terminal).then(
  code => {
    process.exitCode = code
  },
  error => process.exit(fail(error)),
)
