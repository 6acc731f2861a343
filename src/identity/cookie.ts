/** The URL as the client sees it, and the client's address: part of the router's `Caller` and of a handler's call. */
export type Origin = { url: URL; address: string | null }

/** `__Host-` prevents sibling domains and plain HTTP from setting the cookie. Browsers accept it on HTTPS only. */
export const sessionCookie = (https: boolean): string => (https ? '__Host-footfall' : 'footfall_session')

export const sessionCookies: readonly string[] = [sessionCookie(true), sessionCookie(false)]

export const deviceCookie = (https: boolean): string => (https ? '__Host-footfall-device' : 'footfall_device')

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

/** A Set-Cookie header; `seconds` 0 removes the cookie. On HTTPS the `__Host-` prefix requires the path `/`. */
export const writeCookie = (
  name: string,
  { https, root }: { https: boolean; root: string },
  token: string,
  seconds: number,
): string =>
  [
    `${name}=${token}`,
    `Path=${https || root === '' ? '/' : root}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(https ? ['Secure'] : []),
  ].join('; ')
