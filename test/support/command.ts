// Runs commands in the test's own process, for tests of what they print. Exit codes of the process, signals and streams need
// test/support/program.ts.

import { runCommandLine } from '../../src/commands/cli.ts'
import type { Terminal } from '../../src/commands/command.ts'
import { exitCodeOf, failureText } from '../../src/commands/failure.ts'
import { commands } from '../../src/commands.ts'
import { escapeForTerminal } from '../../src/lib/controls.ts'

process.setMaxListeners(0)

export type Ran = { status: number; stdout: string; stderr: string }

const run = async (args: readonly string[], terminal: Partial<Terminal>): Promise<Ran> => {
  const out: string[] = []
  const errors: string[] = []
  const status = await runCommandLine(commands, args, {
    env: {},
    clock: Date.now,
    print: line => out.push(line),
    warn: line => errors.push(line),
    readLine: async () => undefined,
    readLines: async function* () {},
    showStacks: () => {},
    ...terminal,
  }).catch((error: unknown) => {
    errors.push(failureText(error, false))
    return exitCodeOf(error)
  })
  return { status, stdout: out.join('\n'), stderr: errors.join('\n') }
}

/** With a fixed clock. */
export const runCommand = (args: readonly string[], at: string): Promise<Ran> =>
  run(args, { clock: () => Date.parse(at) })

const printed = (text: string): string => (text === '' ? '' : `${escapeForTerminal(text)}\n`)

/** As the program prints it. */
export const footfallHere = async (
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ran> => {
  const [line] = input === '' ? [] : input.split('\n')
  const { status, stdout, stderr } = await run(args, { env, readLine: async () => line })
  return { status, stdout: printed(stdout), stderr: printed(stderr) }
}
