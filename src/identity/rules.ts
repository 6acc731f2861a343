import { IdentityError } from './errors.ts'

export const administrator = 'administrator'

/** What a role may do: administrators everything, others nothing (api.md §2). */
export const capabilitiesOf = (role: string): readonly string[] => role === administrator ? ['manage_options'] : []

const refuseUnless = (fine: boolean, sentence: string): void => {
  if (!fine) throw new IdentityError(sentence)
}

/** The letters of the platform's own logins. */
export const refuseLogin = (login: string): void => refuseUnless(
  /^[A-Za-z0-9._@ -]{1,60}$/.test(login) && login.trim() === login,
  `'${login}' cannot be a login: use 1 to 60 of the characters A-Z, a-z, 0-9, '.', '_', '-', '@' and, inside, the space.`)

export const refuseRole = (role: string): void => refuseUnless(
  /^[a-z0-9_-]{1,60}$/.test(role),
  `'${role}' cannot be a role: use 1 to 60 of the characters a-z, 0-9, '_' and '-', such as 'administrator' or 'editor'.`)

export const refuseLocale = (locale: string): void => refuseUnless(
  /^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8}){0,3}$/.test(locale),
  `'${locale}' is not a locale: use a language tag such as 'en' or 'de-AT'.`)

/** `what` is the beginning of the sentence, for a password that came from somewhere else than usual. */
export const refusePassword = (password: string, what = 'The password'): void => {
  const characters = [...password].length
  refuseUnless(characters >= 8, `${what} is too short: use 8 characters or more.`)
  refuseUnless(characters <= 1024, `${what} is too long: use 1024 characters or fewer.`)
}

/** Control characters would garble lists in a terminal. */
export const refuseName = (name: string): void => refuseUnless(
  name.trim() === name && /^[^\p{C}]{1,100}$/u.test(name),
  'The name of an application password has 1 to 100 characters, no line breaks, and no space at its ends.')
