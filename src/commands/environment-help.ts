import { Help } from 'commander'
import { environmentOnly, variableOf, type CommandName } from '../config/config.ts'

const width = 80
const help = new Help()

const indented = (text: string, by: number): string =>
  help
    .boxWrap(text, width - by)
    .split('\n')
    .map(line => `${' '.repeat(by)}${line}`)
    .join('\n')

/** The end of a command's --help. */
export const environmentHelp = (command: CommandName): string =>
  [
    '',
    'Environment:',
    indented('Options with a value can also be set here: --log-level as FOOTFALL_LOG_LEVEL. Flags take precedence.', 2),
    ...Object.entries(environmentOnly)
      .filter(([, { commands }]) => commands.some(user => user === command))
      .map(([name, { about }]) => `  ${variableOf(name)}\n${indented(about, 6)}`),
  ].join('\n')
