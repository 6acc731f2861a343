import { readParameters, type Values } from './body.ts'
import type { Identity } from './endpoint.ts'
import type { Envelope } from './reply.ts'

/**
 * A request with what its response needs. itty-router reads `method` and `url`, sets `params`, and overwrites `query`
 * and `route`; `values` has the query.
 */
export type Exchange = Envelope & {
  method: string
  url: string
  href: URL
  request: Request
  /** The query, parsed by the platform's rules. */
  values: Values
  params: Readonly<Record<string, string | undefined>>
  address: string | null
  identity: Identity | null
  /** Method and path of the matched route; null before that. */
  pattern: string | null
}

/** The URL; one without a route if an invalid Host header makes it unparsable. */
export const addressOf = (request: Request): URL =>
  new URL(URL.canParse(request.url) ? request.url : 'http://localhost/')

/** The method. Clients limited to POST override it with `_method` or a header. */
const methodOf = (request: Request, values: Values): string => {
  if (request.method !== 'POST') return request.method
  const override =
    typeof values._method === 'string' && values._method !== ''
      ? values._method
      : request.headers.get('x-http-method-override')
  return (override ?? 'POST').trim().toUpperCase()
}

export const createExchange = (request: Request, requestId: string): Exchange => {
  const href = addressOf(request)
  const values = readParameters(href.searchParams)
  const method = methodOf(request, values)
  return {
    method: method === 'HEAD' ? 'GET' : method,
    head: method === 'HEAD',
    overridden: method !== request.method,
    // Without the query: itty-router would assemble repeated names in quadratic time.
    url: href.origin + href.pathname,
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

/** The URL with the scheme and host that the client used, if known. */
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

/** The path's variables, decoded; invalid encodings are kept as sent. */
export const pathValues = ({ params }: Exchange): Values =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decode(value ?? '')]))
