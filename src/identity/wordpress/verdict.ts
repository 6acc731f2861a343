import * as v from 'valibot'

/** A user as WordPress describes them. */
export type WordPressUser = {
  id: number
  login: string
  locale: string
  roles: readonly string[]
  capabilities: readonly string[]
}

/** What WordPress says of credentials. */
export type Verdict =
  /** `nonce`: a fresh one, with cookies. */
  | { kind: 'user'; user: WordPressUser; nonce: string | null }
  | { kind: 'stranger' }
  | { kind: 'wrong_nonce' }
  /** It could not say. `down`: nor could it of anybody else. */
  | { kind: 'unusable'; reason: string; down: boolean }

/** What was answered: the body as JSON, undefined where it is none. */
export type SiteAnswer = { status: number; headers: Headers; body: unknown }

const names = v.union([v.array(v.string()), v.record(v.string(), v.string())])
// PHP writes an empty map as a list, and plugins grant capabilities as 1 as well as true.
const grants = v.union([v.record(v.string(), v.unknown()), v.pipe(v.array(v.unknown()), v.length(0))])
const userSchema = v.object({
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  username: v.optional(v.string()),
  slug: v.optional(v.string()),
  locale: v.optional(v.string()),
  roles: names,
  capabilities: grants,
})
const errorSchema = v.object({ code: v.string() })

const isGranted = (value: unknown): boolean => value === true || value === 1 || value === '1'

const toUser = (body: unknown): WordPressUser | null => {
  const { success, output } = v.safeParse(userSchema, body)
  if (!success) return null
  const { id, username, slug, locale, roles, capabilities } = output
  return {
    id,
    login: username ?? slug ?? String(id),
    locale: locale === undefined || locale === '' ? 'en' : locale.replaceAll('_', '-'),
    roles: Object.values(roles),
    capabilities: Object.entries(capabilities)
      .filter(([, value]) => isGranted(value))
      .map(([name]) => name),
  }
}

const codeOf = (body: unknown): string | null => {
  const { success, output } = v.safeParse(errorSchema, body)
  return success ? output.code : null
}

const freshNonce = (headers: Headers): string | null => {
  const nonce = headers.get('x-wp-nonce') ?? ''
  return /^[\w-]{1,64}$/.test(nonce) ? nonce : null
}

const unusable = (reason: string, down = true): Verdict => ({ kind: 'unusable', reason, down })

const redirected = (headers: Headers, asked: string): Verdict => {
  const target = URL.parse(headers.get('location') ?? '', asked)
  return unusable(
    `it sends on to ${target?.origin ?? 'another address'}, and credentials follow no redirect: set --wordpress-url to the address that answers`,
  )
}

const refused = (status: number, code: string | null): Verdict => {
  if (code === 'rest_cookie_invalid_nonce') return { kind: 'wrong_nonce' }
  if (status === 404)
    return unusable(
      `it has no wp/v2/users/me${code === null ? ': there is no REST API at this address' : ': a plugin may have taken it away'}`,
    )
  // A page instead of WordPress's own words: something before it keeps us out, whoever asks.
  return status === 403 && code === null
    ? unusable('something before it, such as a firewall, answered 403', false)
    : { kind: 'stranger' }
}

/** True for an answer that a WordPress gives, whatever it says; else its REST API may lie elsewhere. */
export const isWordPress = ({ status, body }: SiteAnswer): boolean =>
  codeOf(body) !== null || (status === 200 && toUser(body) !== null)

/** What an answer to `asked` means for whoever showed the credentials. */
export const verdictOf = ({ status, headers, body }: SiteAnswer, asked: string): Verdict => {
  const user = status === 200 ? toUser(body) : null
  if (user !== null) return { kind: 'user', user, nonce: freshNonce(headers) }
  if (status < 300) return unusable('it answered something that is no user')
  if (status < 400) return redirected(headers, asked)
  return status >= 500 || status === 429 ? unusable(`it answered ${status}`) : refused(status, codeOf(body))
}
