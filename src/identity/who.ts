import type { Identity } from '../http/endpoint.ts'

const maxLength = 100

/**
 * Names a caller in the audit log: the login of a local user, with the application password in parentheses, or the id
 * of a user of the host platform. Logins contain neither parentheses nor colons.
 */
export const whoOf = (identity: Identity | null): string | null => {
  if (identity === null) return null
  const { id, login, userId, applicationPassword } = identity
  if (userId === null) return id.slice(0, maxLength)
  return applicationPassword === undefined ? login : `${login} (${applicationPassword})`
}
