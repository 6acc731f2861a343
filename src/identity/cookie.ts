/** Where a request came in, as the client sees it: the router's `Caller`, or what an endpoint's handler is given. */
export type Origin = { url: URL; address: string | null }

/** `__Host-` keeps sister domains and plain http from setting ours; browsers take such a name on https only. */
export const cookieName = (https: boolean): string => (https ? '__Host-footfall' : 'footfall_session')

export const cookieNames: readonly string[] = [cookieName(true), cookieName(false)]

/** More of one name are somebody's game; two are two services under one host. */
const most = 4

/** The values of a cookie: one name may come several times, from different paths. */
export const readCookies = (header: string | null, name: string): string[] =>
  (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1))
    .slice(0, most)

/** Set-Cookie for a session; `seconds` 0 takes it away. On https the path must be `/`, as the name asks for it. */
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
