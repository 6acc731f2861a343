/** The URL as the client sees it, and the client's address: part of the router's `Caller` and of a handler's call. */
export type Origin = { url: URL; address: string | null }

/** `__Host-` prevents sibling domains and plain HTTP from setting the cookie. Browsers accept it on HTTPS only. */
export const cookieName = (https: boolean): string => (https ? '__Host-footfall' : 'footfall_session')

export const cookieNames: readonly string[] = [cookieName(true), cookieName(false)]

/** Two services under one host may set the same name twice; more values are ignored. */
const maxValues = 4

/** The values of a cookie: a name may occur more than once, with different paths. */
export const readCookies = (header: string | null, name: string): string[] =>
  (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1))
    .slice(0, maxValues)

/** The Set-Cookie header of a session; `seconds` 0 removes it. On HTTPS the `__Host-` prefix requires the path `/`. */
export const writeCookie = (
  { https, root }: { https: boolean; root: string },
  token: string,
  seconds: number,
): string =>
  [
    `${cookieName(https)}=${token}`,
    `Path=${https || root === '' ? '/' : root}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(https ? ['Secure'] : []),
  ].join('; ')
