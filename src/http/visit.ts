import type { Identity } from './endpoint.ts'
import { readParameters } from './parameters.ts'
import type { Values } from './parameters.ts'
import type { Envelope } from './reply.ts'

/** One request on its way. itty-router reads `method` and `url`, fills in `params`, and overwrites `query` and `route`. */
export type Visit = Envelope & {
  method: string
  url: string
  href: URL
  request: Request
  /** The query as the platform reads it. */
  values: Values
  params: Readonly<Record<string, string | undefined>>
  address: string | null
  identity: Identity | null
  /** Method and path of the route, once it is known. */
  pattern: string | null
}

/** An invalid Host header can make the URL unparsable; it is replaced by one that has no route. */
export const addressOf = (request: Request): URL =>
  new URL(URL.canParse(request.url) ? request.url : 'http://localhost/')

/** The method, which clients limited to POST send in `_method` or in a header. */
const methodOf = (request: Request, values: Values): string => {
  if (request.method !== 'POST') return request.method
  const override =
    typeof values._method === 'string' && values._method !== ''
      ? values._method
      : request.headers.get('x-http-method-override')
  return (override ?? 'POST').trim().toUpperCase()
}

export const openVisit = (request: Request, requestId: string): Visit => {
  const href = addressOf(request)
  const values = readParameters(href.searchParams)
  const method = methodOf(request, values)
  return {
    method: method === 'HEAD' ? 'GET' : method,
    head: method === 'HEAD',
    overridden: method !== request.method,
    url: href.href,
    href,
    request,
    requestId,
    values,
    params: {},
    address: null,
    identity: null,
    pattern: null,
    allow: [],
    restricted: true,
    extra: new Headers(),
  }
}

/** The URL with the scheme and host that the client sees, if known. */
export const relocate = (url: URL, origin: string | null): URL =>
  origin !== null && URL.canParse(origin)
    ? Object.assign(new URL(origin), { pathname: url.pathname, search: url.search })
    : url

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The path's variables, decoded; an invalid encoding stays as it is. */
export const pathValues = ({ params }: Visit): Values =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decode(value ?? '')]))
