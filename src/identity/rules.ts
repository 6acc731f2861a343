import common from '../../data/common-passwords.txt'
import { ExpectedError } from '../lib/errors.ts'
import { nearest } from '../lib/nearest.ts'
import { roles } from './roles.ts'

/** Why a change was rejected; determines the error code of the API. */
export type IdentityReason =
  | 'invalid'
  | 'login_taken'
  | 'name_taken'
  | 'last_administrator'
  | 'unknown_user'
  | 'second_factor_exists'

/** A rejected change of users or passwords; the message is for the administrator. */
export class IdentityError extends ExpectedError {
  override name = 'IdentityError'
  readonly reason: IdentityReason

  constructor(message: string, reason: IdentityReason = 'invalid') {
    super(message)
    this.reason = reason
  }
}

/** Returns why a text is invalid, as a sentence; null if it is valid. */
export type Rule = (text: string) => string | null

/** Names that the audit log gives to what is not a user. */
const reserved = ['cli', 'serve']

/** The characters that WordPress allows in logins. */
export const loginRule: Rule = login => {
  if (reserved.includes(login.toLowerCase())) return `'${login}' cannot be a login: the audit log uses this name.`
  return /^[A-Za-z0-9._@ -]{1,60}$/.test(login) && login.trim() === login
    ? null
    : `'${login}' is not a valid login: use 1 to 60 of A-Z, a-z, 0-9, '.', '_', '-', '@' and inner spaces.`
}

/** The role that was meant: the nearest, or the one that begins like it. */
const suggestedRole = (role: string): string | undefined =>
  roles.find(name => role.length > 2 && name.startsWith(role)) ?? nearest(role, roles)

export const roleRule: Rule = role => {
  if (roles.some(name => name === role)) return null
  const suggestion = suggestedRole(role.toLowerCase())
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  return `'${role}' is not a role.${hint} The roles are ${roles.join(', ')}.`
}

export const localeRule: Rule = locale =>
  /^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8}){0,3}$/.test(locale)
    ? null
    : `'${locale}' is not a valid locale: use a language tag such as 'en' or 'de-AT'.`

const commonPasswords = new Set(common.split('\n').filter(line => line !== '' && !line.startsWith('#')))

/** What a password is for: the beginning of the message, and the login that it must differ from. */
type PasswordUse = { subject?: string; login?: string }

/** Length, and what everybody would try first; case and Unicode form make no difference there. */
export const passwordRule = (
  password: string,
  { subject = 'The password', login = '' }: PasswordUse = {},
): string | null => {
  const characters = [...password].length
  if (characters < 8) return `${subject} is too short: use at least 8 characters.`
  if (characters > 1024) return `${subject} is too long: use at most 1024 characters.`
  const plain = password.normalize('NFKC').toLowerCase()
  return commonPasswords.has(plain) || plain === login.toLowerCase()
    ? `${subject} is too easy to guess: it must not be one of the 1,000 most common passwords, nor the login.`
    : null
}

/** Control characters would garble lists in a terminal. */
export const nameRule: Rule = name =>
  name.trim() === name && /^[^\p{C}]{1,100}$/u.test(name)
    ? null
    : 'The name of an application password must have 1 to 100 characters, no line breaks, and no space at either end.'

/** @throws IdentityError with the message of a rule, unless it is null */
export const assertValid = (message: string | null): void => {
  if (message !== null) throw new IdentityError(message)
}
