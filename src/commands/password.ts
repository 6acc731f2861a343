import { UsageError } from '../config/errors.ts'
import { generatePassword } from '../identity/users.ts'
import type { Call } from './command.ts'

export const passwordFlag = {
  flag: '--password-stdin',
  about: 'Read the password from the standard input instead of generating one.',
}

/**
 * The password to set: the first line of the standard input with --password-stdin, else a generated one.
 * Never an argument: the arguments of a process are visible to every user of the machine.
 */
export const choosePassword = async ({ flags, readLine }: Call): Promise<{ password: string; generated: boolean }> => {
  if (flags.passwordStdin !== true) return { password: generatePassword(), generated: true }
  const password = await readLine()
  if (password === undefined || password === '')
    throw new UsageError('The standard input has no password on its first line.')
  return { password, generated: false }
}
