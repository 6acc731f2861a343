import type { Db } from '../database/query.ts'
import { createLoginLink } from './login-links.ts'
import { generatePassword } from './password-hash.ts'
import { administrator } from './roles.ts'
import { assertValid, passwordRule } from './rules.ts'
import { createUser, listUsers, markFirstPassword } from './users.ts'

export type FirstAdministrator = {
  login: 'admin'
  /** To be shown once; null if it was set in the environment. */
  password: string | null
  linkToken: string
}

/**
 * Creates `admin` in a file without users (api.md §2); null if there are users.
 * @throws IdentityError if the given password is invalid
 */
export const firstAdministrator = async (
  db: Db,
  given: string | undefined,
  now: number,
): Promise<FirstAdministrator | null> => {
  if (listUsers(db).length > 0) return null
  const login = 'admin'
  if (given !== undefined)
    assertValid(passwordRule(given, { subject: 'The password in FOOTFALL_ADMIN_PASSWORD', login }))
  const password = given ?? generatePassword()
  const { id } = await createUser(db, { login, role: administrator, locale: 'en', password }, now, 'serve')
  if (given === undefined) markFirstPassword(db, id)
  return { login, password: given === undefined ? password : null, linkToken: createLoginLink(db, id, now) }
}
