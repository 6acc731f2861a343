import * as v from 'valibot'
import type { Identity } from '../http/endpoint.ts'
import { fromColumn } from './held.ts'
import { capabilitiesOf } from './roles.ts'

/** The columns that identify a user. */
export const userColumns = {
  user_id: v.number(),
  login: v.string(),
  role: v.string(),
  locale: v.string(),
  held: v.nullable(v.string()),
}
type UserRow = v.InferOutput<v.ObjectSchema<typeof userColumns, undefined>>

/** The identity of a local user. */
export const localIdentity = ({ user_id, login, role, locale, held }: UserRow): Identity => {
  const filters = fromColumn(held)
  return {
    id: `local:${user_id}`,
    login,
    role,
    locale,
    capabilities: capabilitiesOf(role),
    userId: user_id,
    ...(filters !== null && { filters }),
  }
}
