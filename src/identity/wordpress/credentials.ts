import { decodeJwt } from 'jose'

/** What of a request WordPress is shown: either a header, or its own cookies with the nonce that belongs to them. */
export type Credentials = { authorization: string } | { cookie: string; nonce: string }

const maxHeaderLength = 4096
const maxCookies = 4
const maxCookieLength = 1024
const cookieFrame = /^wordpress_logged_in_[\w-]{0,64}=[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/

/** A token of ours that does not count (any more) is no other plugin's either, and those for visits stand in public pages. */
const isOurs = (token: string): boolean => {
  try {
    const { aud } = decodeJwt(token)
    return [aud].flat().some(audience => audience?.startsWith('footfall') === true)
  } catch {
    return false
  }
}

/** HTTP Basic, and the tokens of whatever plugin WordPress has for them; null for anything else. */
export const authorizationOf = (request: Request): string | null => {
  const header = request.headers.get('authorization')?.trim() ?? ''
  const [, scheme, value = ''] = /^(basic|bearer) +([\w.~+/=-]+)$/i.exec(header) ?? []
  if (scheme === undefined || header.length > maxHeaderLength) return null
  return scheme.toLowerCase() === 'bearer' && isOurs(value) ? null : header
}

/** WordPress's cookies of logged-in users, in one order; none of the other cookies, which are nobody's business there. */
export const loginCookies = (header: string | null | undefined): string[] =>
  header?.includes('wordpress_logged_in_') !== true
    ? []
    : header
        .split(';')
        .map(pair => pair.trim())
        .filter(pair => pair.length <= maxCookieLength && cookieFrame.test(pair))
        .sort()
        .slice(0, maxCookies)

/** The cookies with their nonce; null where either is missing or cannot be one. */
export const cookieCredentials = (request: Request, nonce: string): Credentials | null => {
  const cookies = loginCookies(request.headers.get('cookie'))
  return cookies.length === 0 || !/^[\w-]{1,64}$/.test(nonce) ? null : { cookie: cookies.join('; '), nonce }
}
