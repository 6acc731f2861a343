// Builds commander's commands, options and help from the tables of src/commands and src/config.
import { Command as Commander, CommanderError, Option as Flag, Help } from 'commander'
import {
  type CommandName,
  environmentOnly,
  type Flags,
  flagOf,
  type Option,
  optionNames,
  options,
  readOptions,
  variableOf,
} from '../config/config.ts'
import { environmentWarnings } from '../config/environment.ts'
import { readPagePatterns } from '../config/rule-files.ts'
import { usePagePatterns } from '../lib/page-patterns.ts'
import { createLog } from '../runtime/log.ts'
import type { Command, Entry, OwnFlag, Terminal } from './command.ts'

const width = 80
const help = new Help()

const indented = (text: string, by: number): string =>
  help
    .boxWrap(text, width - by)
    .split('\n')
    .map(line => `${' '.repeat(by)}${line}`)
    .join('\n')

/** The end of a command's --help. */
const environmentHelp = (command: CommandName): string =>
  [
    '',
    'Environment:',
    indented('Options with a value can also be set here: --log-level as FOOTFALL_LOG_LEVEL. Flags take precedence.', 2),
    ...Object.entries(environmentOnly)
      .filter(([, { commands }]) => commands.some(candidate => candidate === command))
      .map(([name, { about }]) => `  ${variableOf(name)}\n${indented(about, 6)}`),
  ].join('\n')

const sentence = (text: string): string => {
  const plain = text
    .replace(/^error: /, '')
    .replace(/\n\((.*)\)/, '. $1')
    .trimEnd()
  return plain.charAt(0).toUpperCase() + plain.slice(1) + (/[.?]$/.test(plain) ? '' : '.')
}

/** Longer defaults are left out of --help; docs/command-line.md has them. */
const maxDefaultLength = 40

/** Given several times, the values are joined by commas. */
const joined = (flag: Flag): Flag =>
  flag.argParser((text: string, before?: string) => (before === undefined ? text : `${before},${text}`))

/** `--port <PORT>`, or `--require-totp` for an option without a value. */
export const usageOf = (name: string, value: string): string =>
  value === '' ? flagOf(name) : `${flagOf(name)} <${value}>`

const tableFlag = (name: string, { value, about, kind, group, default: defaultValue }: Option): Flag => {
  const flag = new Flag(
    usageOf(name, value),
    defaultValue === '' || defaultValue.length > maxDefaultLength ? about : `${about} (default: ${defaultValue})`,
  ).helpGroup(`${group}:`)
  return kind.list ? joined(flag) : flag
}

const ownFlag = ({ flag, about, default: defaultValue, required = false, list = false }: OwnFlag): Flag => {
  const text = defaultValue === undefined ? about : `${about} (default: ${defaultValue})`
  const made = new Flag(flag, text).makeOptionMandatory(required)
  return list ? joined(made) : made
}

const usesTable = (name: string): name is CommandName =>
  optionNames.some(option => options[option].commands.some(candidate => candidate === name))

/**
 * Prints warnings about the environment before a command runs, those of the service as its log does, and enables stack
 * traces with --log-level debug.
 */
const prepare = (flags: Flags, owner: CommandName, { env, clock, warn, logFailure, showStacks }: Terminal): void => {
  const { logLevel, logFormat } = readOptions(['logLevel', 'logFormat'], flags, env)
  if (logLevel === 'debug') showStacks()
  const log = createLog({ level: logLevel, format: logFormat, write: line => warn(line.trimEnd()), clock })
  if (owner === 'serve' && logFormat === 'json') logFailure(log)
  for (const line of environmentWarnings(env))
    if (owner === 'serve') log.warn(line)
    else warn(line)
}

type OnExit = (code: number) => void

const describe = (commander: Commander, about: string, path: string): Commander =>
  commander
    .description(about)
    .helpOption('-h, --help', 'Show this help.')
    .showHelpAfterError(`Run 'footfall${path} --help' for usage.`)

const addCommand = (
  parent: Commander,
  command: Command,
  owner: string,
  terminal: Terminal,
  onExit: OnExit,
  isDefault = false,
): void => {
  const commander = describe(
    parent.command(command.name, { isDefault }),
    command.about,
    owner === command.name ? ` ${owner}` : ` ${owner} ${command.name}`,
  )
  for (const argument of command.arguments ?? []) commander.argument(argument)
  for (const flag of command.flags ?? []) commander.addOption(ownFlag(flag))
  if (usesTable(owner)) {
    for (const name of optionNames.filter(option => options[option].commands.some(candidate => candidate === owner))) {
      commander.addOption(tableFlag(name, options[name]))
    }
    commander.addHelpText('after', () => environmentHelp(owner))
  }
  commander.addHelpText('after', `\nExample:\n  footfall ${command.example}`)
  commander.action(async () => {
    const flags = commander.opts<Flags>()
    if (usesTable(owner)) prepare(flags, owner, terminal)
    if (options.pagePatterns.commands.some(candidate => candidate === owner))
      usePagePatterns(readPagePatterns(readOptions(['pagePatterns'], flags, terminal.env).pagePatterns))
    onExit(await command.run({ ...terminal, args: commander.args, flags }))
  })
}

const addEntry = (program: Commander, entry: Entry, terminal: Terminal, onExit: OnExit): void => {
  if ('run' in entry) return addCommand(program, entry, entry.name, terminal, onExit)
  const group = describe(program.command(entry.name), entry.about, ` ${entry.name}`).helpCommand(false)
  for (const command of entry.commands)
    addCommand(group, command, entry.name, terminal, onExit, command.name === entry.defaultCommand)
}

/** The words up to a command or subcommand that does not exist; null if all exist. */
const unknownCommand = (entries: readonly Entry[], [first, second]: readonly string[]): string[] | null => {
  if (first === undefined || first.startsWith('-') || first === 'help') return null
  const entry = entries.find(({ name }) => name === first)
  if (entry === undefined) return [first]
  if ('run' in entry || entry.defaultCommand !== undefined || second === undefined || second.startsWith('-'))
    return null
  return entry.commands.some(({ name }) => name === second) ? null : [first, second]
}

/**
 * Parses the arguments and runs the command.
 * @returns the exit code: 0 fine, 1 a finding or failure, 2 invalid command line
 * @throws what the command throws
 */
export const runCommandLine = async (
  entries: readonly Entry[],
  args: readonly string[],
  terminal: Terminal,
): Promise<number> => {
  let code = 0
  const program = new Commander('footfall').exitOverride().configureOutput({
    writeOut: text => terminal.print(text.trimEnd()),
    writeErr: text => terminal.warn(text.trimEnd()),
    outputError: (text, write) => write(sentence(text)),
  })
  describe(program, 'Web analytics without cookies, on your own machine.', '')
    .option('-V, --version', 'Show the version.')
    .helpCommand('help [command]', 'Show the help of a command.')
  for (const entry of entries)
    addEntry(program, entry, terminal, result => {
      code = result
    })
  const words = args[0] === '--version' || args[0] === '-V' ? ['version', ...args.slice(1)] : args
  try {
    // Commander would print its help and exit with 0 if --help follows a command that does not exist.
    const unknown = unknownCommand(entries, words)
    if (unknown !== null) await program.parseAsync(unknown, { from: 'user' })
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}
