// Makes docs/command-line.md from the program's own lists.
import { usageOf } from '../../src/commands/cli.ts'
import type { Command, Entry } from '../../src/commands/command.ts'
import { commands } from '../../src/commands.ts'
import {
  environmentOnly,
  type Option,
  type OptionName,
  optionNames,
  options,
  variableOf,
} from '../../src/config/config.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [heads, heads.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`)

const code = (text: string): string => `\`${text}\``

/** Whether every command that uses the file takes the option. */
const isForAll = (users: Option['commands']): boolean => options.data.commands.every(user => users.includes(user))

/** The other options of `serve` that a command takes as well. */
const shared = (name: string): string[] => {
  const taken = optionNames.filter(option => {
    const { commands: users }: Option = options[option]
    return users.some(user => user === name) && !isForAll(users)
  })
  const flags = taken.map(option => code(usageOf(option, options[option].value).replace(/ .*/, ''))).sort()
  return name === 'serve' || flags.length === 0
    ? []
    : [`Also ${flags.join(', ')}: see [the options of \`serve\`](#options-of-serve).`, '']
}

const usage = (
  group: string | null,
  { name, arguments: operands = [], flags = [], about, example }: Command,
): string[] => [
  `### ${code(['footfall', ...(group === null ? [] : [group]), name, ...operands].join(' '))}`,
  '',
  `${about} Example: ${code(`footfall ${example}`)}`,
  '',
  ...(flags.length === 0
    ? []
    : [
        ...table(
          ['Flag', 'Default', 'Meaning'],
          flags.map(({ flag, default: defaultValue, required, about: meaning }) => [
            code(flag),
            required === true ? 'required' : defaultValue === undefined ? '' : code(defaultValue),
            meaning,
          ]),
        ),
        '',
      ]),
  ...shared(group ?? name),
]

const entry = (one: Entry): string[] =>
  'run' in one ? usage(null, one) : one.commands.flatMap(command => usage(one.name, command))

const row = (name: OptionName): string[] => {
  const { value, default: defaultValue, about, commands: users }: Option = options[name]
  const others = users.filter(user => user !== 'serve')
  const alsoFor =
    others.length === 0
      ? ''
      : isForAll(users)
        ? ' Also for every other command that uses the file.'
        : ` Also for ${others.map(code).join(' and ')}.`
  return [
    code(usageOf(name, value)),
    code(variableOf(name)),
    defaultValue === '' ? '' : code(defaultValue),
    `${about}${alsoFor}`,
  ]
}

/** The text of docs/command-line.md. */
export const commandLineDocument = (): string =>
  [
    '# The command line',
    '',
    '<!-- Made from src/config.ts and src/commands by UPDATE=1 npm run test:only commands/document. -->',
    '',
    '`footfall <command> [options]`. Every command has `--help`. Exit codes: 0 fine, 1 a finding or a failure, 2 invalid command line.',
    '`serve`, `import`, `rebuild`, `cron`, `restore` and `demo` need the file alone; while a service runs on it they end with 1. All others',
    'may run beside it: [the table](operate.md). Those that use the file take `--data` and `--log-level`.',
    '',
    '## Commands',
    '',
    ...commands.flatMap(entry),
    '## Options of `serve`',
    '',
    'Flags take precedence over the environment, and the environment over defaults.',
    'Separate the items of a list by commas or spaces, or repeat the flag.',
    '',
    ...table(['Flag', 'Environment', 'Default', 'Meaning'], optionNames.map(row)),
    '',
    '## In the environment only',
    '',
    'Secrets are never flags: every user of the machine can see command lines.',
    '',
    ...table(
      ['Variable', 'Meaning'],
      Object.entries(environmentOnly).map(([name, { about }]) => [code(variableOf(name)), about]),
    ),
    '',
  ].join('\n')
