import { decodeJwt } from 'jose'

/** What is forwarded to WordPress: an Authorization header, or WordPress's cookies with a nonce. */
export type Credentials = { authorization: string } | { cookie: string; nonce: string }

const maxHeaderLength = 4096
const maxCookies = 4
const maxCookieLength = 1024
const loginCookie = /^wordpress_logged_in_[\w-]{0,64}=[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/

/** Tokens for Footfall are not forwarded: no WordPress plugin accepts them, and visit tokens are in public pages. */
const isFootfallToken = (token: string): boolean => {
  try {
    const { aud } = decodeJwt(token)
    return [aud].flat().some(audience => audience?.startsWith('footfall') === true)
  } catch {
    return false
  }
}

/** HTTP Basic, or a bearer token for a WordPress plugin; null for anything else. */
export const authorizationOf = (request: Request): string | null => {
  const header = request.headers.get('authorization')?.trim() ?? ''
  const [, scheme, value = ''] = /^(basic|bearer) +([\w.~+/=-]+)$/i.exec(header) ?? []
  if (scheme === undefined || header.length > maxHeaderLength) return null
  return scheme.toLowerCase() === 'bearer' && isFootfallToken(value) ? null : header
}

/** The login cookies of WordPress, sorted. No other cookies are forwarded. */
export const loginCookies = (header: string | null | undefined): string[] =>
  header?.includes('wordpress_logged_in_') !== true
    ? []
    : header
        .split(';')
        .map(pair => pair.trim())
        .filter(pair => pair.length <= maxCookieLength && loginCookie.test(pair))
        .sort()
        .slice(0, maxCookies)

/** The login cookies and the nonce; null if either is missing or malformed. */
export const cookieCredentials = (request: Request, nonce: string): Credentials | null => {
  const cookies = loginCookies(request.headers.get('cookie'))
  return cookies.length === 0 || !/^[\w-]{1,64}$/.test(nonce) ? null : { cookie: cookies.join('; '), nonce }
}
