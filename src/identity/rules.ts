import { IdentityError } from './errors.ts'
import type { Identity } from '../http/endpoint.ts'

export const administrator = 'administrator'

/** What a role may do: administrators everything, others nothing (api.md §2). */
export const capabilitiesOf = (role: string): readonly string[] => (role === administrator ? ['manage_options'] : [])

/** Why a text cannot be what it is given as, in a sentence; null if it can. */
export type Rule = (text: string) => string | null

/** The letters of the platform's own logins. */
export const loginRule: Rule = login =>
  /^[A-Za-z0-9._@ -]{1,60}$/.test(login) && login.trim() === login
    ? null
    : `'${login}' cannot be a login: use 1 to 60 of the characters A-Z, a-z, 0-9, '.', '_', '-', '@' and, inside, the space.`

export const roleRule: Rule = role =>
  /^[a-z0-9_-]{1,60}$/.test(role)
    ? null
    : `'${role}' cannot be a role: use 1 to 60 of the characters a-z, 0-9, '_' and '-', such as 'administrator' or 'editor'.`

export const localeRule: Rule = locale =>
  /^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8}){0,3}$/.test(locale)
    ? null
    : `'${locale}' is not a locale: use a language tag such as 'en' or 'de-AT'.`

/** `what` is the beginning of the sentence, for a password that came from somewhere else than usual. */
export const passwordRule = (password: string, what = 'The password'): string | null => {
  const characters = [...password].length
  if (characters < 8) return `${what} is too short: use 8 characters or more.`
  return characters > 1024 ? `${what} is too long: use 1024 characters or fewer.` : null
}

/** Control characters would garble lists in a terminal. */
export const nameRule: Rule = name =>
  name.trim() === name && /^[^\p{C}]{1,100}$/u.test(name)
    ? null
    : 'The name of an application password has 1 to 100 characters, no line breaks, and no space at its ends.'

/** @throws IdentityError with a rule's sentence */
export const refuse = (sentence: string | null): void => {
  if (sentence !== null) throw new IdentityError(sentence)
}

/** What statements that look somebody up give of the user. */
export type UserRow = { user_id: number; login: string; role: string; locale: string }

/** The identity of a user of this file. */
export const localIdentity = ({ user_id, login, role, locale }: UserRow): Identity => ({
  id: `local:${user_id}`,
  login,
  role,
  locale,
  capabilities: capabilitiesOf(role),
  userId: user_id,
})
