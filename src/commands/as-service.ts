import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readOptions } from '../config/config.ts'
import { isHeld } from '../database/lock.ts'
import { ownCommand, userArguments } from '../runtime/assets.ts'
import type { Call } from './command.ts'

/** Where the Debian package and docs/operate.md have the options of the service, which root alone can read. */
const environmentFile = '/etc/footfall/footfall.env'

const shellWord = (word: string): string => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/**
 * The line that runs the present command with the settings of the service, to be added to the sentence that says what is
 * not set: systemd reads them as root, and the command runs as the owner of the file. Empty if no service runs on it.
 */
export const asService = ({ flags, env }: Pick<Call, 'flags' | 'env'>): string => {
  const path = resolve(readOptions(['data'], flags, env).data)
  if (!isHeld(path)) return ''
  const words = [
    ...['systemd-run', '--pipe', '--wait', '--quiet', '--collect', '--same-dir', `--uid=${statSync(path).uid}`],
    `--property=EnvironmentFile=${environmentFile}`,
    ...ownCommand(),
    ...userArguments(),
    ...(flags.data === undefined ? ['--data', path] : []),
  ]
  return `\nIf systemd runs the service, this line has its options, as root:\n  ${words.map(shellWord).join(' ')}`
}
