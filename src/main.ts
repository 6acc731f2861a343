// The entry point: runs the command line, and turns an error into a message and an exit code.
import { runCommandLine } from './commands/cli.ts'
import { createTerminal } from './commands/terminal.ts'
import { commands } from './commands.ts'
import { userArguments } from './runtime/assets.ts'

// As `ps` shows it, whatever the executable is called.
process.title = 'footfall'

let printed = true

const { terminal, fail } = createTerminal({
  env: process.env,
  clock: Date.now,
  writeOutput: text => {
    process.stdout.write(text)
  },
  writeError: text => {
    process.stderr.write(text)
  },
  openInput: () => process.stdin,
})

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

// A command that failed may have left a timer or a thread running, hence exit().
runCommandLine(commands, userArguments(), terminal).then(
  code => {
    process.exitCode = code
  },
  error => process.exit(fail(error)),
)
