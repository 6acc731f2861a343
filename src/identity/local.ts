import type { Identity } from '../http/endpoint.ts'
import { capabilitiesOf } from './rules.ts'

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
