import * as v from 'valibot'
import type { Identity } from '../http/endpoint.ts'
import { timeSchema } from '../http/schemas.ts'
import { timeText } from '../lib/time.ts'
import { capabilitiesOf, roles } from './roles.ts'
import { localeRule, loginRule, passwordRule, type Rule } from './rules.ts'
import { startPages, usualStartPage } from './start-pages.ts'
import type { User } from './users.ts'

const textWithRule = (rule: Rule, description: string) =>
  v.pipe(
    v.string(),
    v.check(
      text => rule(text) === null,
      issue => rule(issue.input) ?? '',
    ),
    v.description(description),
  )

export const loginSchema = textWithRule(loginRule, 'Case-insensitive; cannot be changed later.')
export const roleSchema = v.pipe(
  v.picklist(roles),
  v.description('`administrator` may do everything, `viewer` read reports. The roles of WordPress give no access.'),
)
export const localeSchema = textWithRule(localeRule, 'Language of the dashboard and of answers, such as en or de-AT.')
export const startPageSchema = v.pipe(
  v.picklist(startPages),
  v.description('The page that the dashboard opens with; where the user may not see it, the first that they may.'),
)
export const passwordSchema = textWithRule(
  text => passwordRule(text),
  'At least 8 characters; neither one of the 1,000 most common passwords nor the login.',
)

/** A user in responses. */
export const userEntries = {
  id: v.pipe(v.number(), v.integer()),
  login: v.string(),
  role: v.pipe(v.string(), v.description('Files of older versions may contain other roles.')),
  locale: v.string(),
  start_page: v.string(),
  capabilities: v.array(v.string()),
  filters: v.pipe(
    v.nullable(v.record(v.string(), v.string())),
    v.description('What the user is held to, in every report. Null: sees all visits.'),
  ),
  created: timeSchema,
}
export const userSchema = v.object(userEntries)
export const meSchema = v.object({
  ...userEntries,
  id: v.pipe(v.nullable(userEntries.id), v.description('Null for a user of the host platform.')),
  created: v.nullable(timeSchema),
  identity: v.pipe(v.string(), v.description('Key of the preferences: `local:` or `wp:`, followed by an id.')),
})

export type UserResponse = v.InferOutput<typeof userSchema>

export const describeUser = ({ createdAt, startPage, ...user }: User): UserResponse => ({
  ...user,
  start_page: startPage,
  capabilities: [...capabilitiesOf(user.role)],
  created: timeText(createdAt),
})

export const describeMe = (identity: Identity, user: User | undefined): v.InferOutput<typeof meSchema> => ({
  id: user?.id ?? null,
  login: identity.login,
  role: identity.role,
  locale: identity.locale,
  start_page: user?.startPage ?? usualStartPage,
  capabilities: [...identity.capabilities],
  filters: identity.filters === undefined ? null : { ...identity.filters },
  created: user === undefined ? null : timeText(user.createdAt),
  identity: identity.id,
})
