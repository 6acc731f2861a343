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
]

const entry = (one: Entry): string[] =>
  'run' in one ? usage(null, one) : one.commands.flatMap(command => usage(one.name, command))

const row = (name: OptionName): string[] => {
  const { value, default: defaultValue, about, commands: users }: Option = options[name]
  const others = users.filter(user => user !== 'serve')
  const everybody = options.data.commands.every(user => users.includes(user))
  const alsoFor =
    others.length === 0
      ? ''
      : everybody
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
