// Runs commands in the test's own process, with a fixed clock.
import { commands } from '../../src/commands.ts'
import { exitCodeOf, failureText } from '../../src/commands/failure.ts'
import { runCommandLine } from '../../src/commands/cli.ts'

process.setMaxListeners(0)

export type Ran = { status: number; stdout: string; stderr: string }

export const runCommand = async (args: readonly string[], at: string): Promise<Ran> => {
  const out: string[] = []
  const errors: string[] = []
  const status = await runCommandLine(commands, args, {
    env: {},
    clock: () => Date.parse(at),
    print: line => out.push(line),
    warn: line => errors.push(line),
    readLine: async () => undefined,
    readLines: async function* () {},
    showStacks: () => {},
  }).catch((error: unknown) => {
    errors.push(failureText(error, false))
    return exitCodeOf(error)
  })
  return { status, stdout: out.join('\n'), stderr: errors.join('\n') }
}
