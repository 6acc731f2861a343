import type { Db } from '../database/query.ts'
import { createLoginLink } from './login-links.ts'
import { generatePassword } from './password-hash.ts'
import { administrator, passwordRule, refuse } from './rules.ts'
import { createUser, listUsers, noteFirstPassword } from './users.ts'

export type FirstAdministrator = {
  login: 'admin'
  /** To be shown once; null when it came from the environment. */
  password: string | null
  linkToken: string
}

/**
 * Creates `admin` in a file without any user (api.md §2); null where there are users.
 * @throws IdentityError if the password given cannot be one
 */
export const firstAdministrator = async (
  db: Db,
  given: string | undefined,
  now: number,
): Promise<FirstAdministrator | null> => {
  if (listUsers(db).length > 0) return null
  if (given !== undefined) refuse(passwordRule(given, 'The password in FOOTFALL_ADMIN_PASSWORD'))
  const password = given ?? generatePassword()
  const { id } = await createUser(db, { login: 'admin', role: administrator, locale: 'en', password }, now, 'serve')
  if (given === undefined) noteFirstPassword(db, id)
  return { login: 'admin', password: given === undefined ? password : null, linkToken: createLoginLink(db, id, now) }
}
