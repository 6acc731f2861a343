// Runs commands in the test's own process, as src/main.ts does, for tests of what they do and print. Exit codes of the process,
// signals, streams (`import -`, `export -`) and what two processes do to each other need test/support/program.ts: to the
// system a file that this process has locked is no longer locked for others once a command here was refused it.
import { Readable } from 'node:stream'
import { runCommandLine } from '../../src/commands/cli.ts'
import { createTerminal } from '../../src/commands/terminal.ts'
import { commands } from '../../src/commands.ts'

export type Ran = { status: number; stdout: string; stderr: string }

type Options = { env?: Record<string, string>; input?: string | Buffer; at?: string }

const signals = ['SIGTERM', 'SIGINT'] as const

/** Commands listen for the signals that stop them until their process ends. */
const withoutTraces = async (work: () => Promise<number>): Promise<number> => {
  const before = signals.map(signal => new Set(process.listeners(signal)))
  try {
    return await work()
  } finally {
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal)) if (!before[index]?.has(listener)) process.off(signal, listener)
  }
}

/** As the program prints it; by a fixed clock if there is an `at`. */
export const footfallHere = async (args: readonly string[], { env, input = '', at }: Options = {}): Promise<Ran> => {
  const output = { stdout: '', stderr: '' }
  const { terminal, fail } = createTerminal({
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    clock: at === undefined ? Date.now : () => Date.parse(at),
    writeOutput: text => {
      output.stdout += text
    },
    writeError: text => {
      output.stderr += text
    },
    openInput: () => Readable.from([Buffer.from(input)]),
  })
  const status = await withoutTraces(() => runCommandLine(commands, args, terminal).catch(fail))
  return { status, ...output }
}

/** With a fixed clock. */
export const runCommand = async (args: readonly string[], at: string): Promise<Ran> => {
  const { status, stdout, stderr } = await footfallHere(args, { at })
  return { status, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() }
}
