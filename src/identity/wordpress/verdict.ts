import * as v from 'valibot'

/** A user of WordPress. */
export type WordPressUser = {
  id: number
  login: string
  locale: string
  roles: readonly string[]
  capabilities: readonly string[]
}

/** The result of verifying credentials with WordPress. */
export type Verdict =
  /** `nonce` is a fresh one if the credentials were cookies. */
  | { kind: 'user'; user: WordPressUser; nonce: string | null }
  | { kind: 'stranger' }
  | { kind: 'wrong_nonce' }
  /** WordPress could not answer. `down`: it cannot answer any request. */
  | { kind: 'unusable'; reason: string; down: boolean }

/** A response of the site; `body` is undefined if it is not JSON. */
export type SiteResponse = { status: number; headers: Headers; body: unknown }

const names = v.union([v.array(v.string()), v.record(v.string(), v.string())])
// PHP encodes an empty map as a list, and plugins grant capabilities as 1 as well as true.
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

const redirected = (headers: Headers, address: string): Verdict => {
  const target = URL.parse(headers.get('location') ?? '', address)
  return unusable(
    `it redirects to ${target?.origin ?? 'another address'}, and credentials are not sent to redirects: ` +
      'set --wordpress-url to the final URL',
  )
}

const refused = (status: number, code: string | null): Verdict => {
  if (code === 'rest_cookie_invalid_nonce') return { kind: 'wrong_nonce' }
  if (status === 404)
    return unusable(
      `it has no wp/v2/users/me: ` +
        (code === null ? 'there is no REST API at this URL' : 'a plugin may have removed it'),
    )
  // A page instead of an error of WordPress: something in front of it blocks this service.
  return status === 403 && code === null
    ? unusable('something in front of it, such as a firewall, answered 403', false)
    : { kind: 'stranger' }
}

/** True for any response that comes from WordPress; otherwise its REST API may have another URL. */
export const isWordPress = ({ status, body }: SiteResponse): boolean =>
  codeOf(body) !== null || (status === 200 && toUser(body) !== null)

/** Interprets the response of an address. */
export const verdictOf = ({ status, headers, body }: SiteResponse, address: string): Verdict => {
  const user = status === 200 ? toUser(body) : null
  if (user !== null) return { kind: 'user', user, nonce: freshNonce(headers) }
  if (status < 300) return unusable('its response is not a user')
  if (status < 400) return redirected(headers, address)
  return status >= 500 || status === 429 ? unusable(`it answered ${status}`) : refused(status, codeOf(body))
}
