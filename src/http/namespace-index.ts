import { lazy } from '../lib/lazy.ts'
import type { Right, Scope } from './access.ts'
import type { Endpoint, Method } from './endpoint.ts'
import { toJsonSchema } from './json-schema.ts'
import { isOptional, type SchemaNode, unwrap } from './schemas.ts'

export const namespace = 'analytics/v1'

type Args = Record<string, unknown>
type Link = { href: string }

/** A route as described in the namespace index and in the response to OPTIONS. */
export type RouteDescription = {
  namespace: string
  methods: readonly Method[]
  endpoints: readonly {
    methods: readonly Method[]
    args: Args | []
    capability?: Right
    scopes?: readonly Scope[]
  }[]
  _links?: { self: readonly Link[] }
}

/** A path with its endpoints. */
export type Route<Item> = { path: string; endpoints: readonly Item[] }

/** Endpoints by path, in the order of the list. */
export const groupByPath = <Item extends { path: string }>(endpoints: readonly Item[]): Route<Item>[] => {
  const routes = new Map<string, Item[]>()
  for (const endpoint of endpoints) routes.set(endpoint.path, [...(routes.get(endpoint.path) ?? []), endpoint])
  return [...routes].map(([path, members]) => ({ path, endpoints: members }))
}

const argsOf = (schema: SchemaNode | undefined): Args => {
  const entries = schema === undefined ? {} : (unwrap(schema).entries ?? {})
  return Object.fromEntries(
    Object.entries(entries).map(([name, field]) => [name, { ...toJsonSchema(field), required: !isOptional(field) }]),
  )
}

/** The platform represents "no arguments" as an empty list. */
const argumentsOf = <Context>({ params, query, body }: Endpoint<Context>): Args | [] => {
  const args = { ...argsOf(params), ...argsOf(query), ...argsOf(body) }
  return Object.keys(args).length === 0 ? [] : args
}

/** The route's description without its link, which depends on the origin of the request. */
export const describeRoute = <Context>({ endpoints }: Route<Endpoint<Context>>): RouteDescription => ({
  namespace,
  methods: [...new Set(endpoints.map(({ method }) => method))],
  endpoints: endpoints.map(endpoint => ({ methods: [endpoint.method], args: argumentsOf(endpoint) })),
})

/** In the index, a restricted endpoint also names its capability and scopes, which the platform has no fields for. */
const withCapabilities = <Context>(route: Route<Endpoint<Context>>): RouteDescription => {
  const description = describeRoute(route)
  const capabilities = route.endpoints.map(({ can, scopes }) =>
    can === 'public' ? {} : { capability: can, ...(scopes !== undefined && { scopes }) },
  )
  return {
    ...description,
    endpoints: description.endpoints.map((endpoint, index) => ({ ...endpoint, ...capabilities[index] })),
  }
}

/** The platform links only routes without variables. `root` precedes `/analytics/v1`. */
export const withLink = (description: RouteDescription, path: string, root: string): RouteDescription =>
  path.includes('/:') ? description : { ...description, _links: { self: [{ href: `${root}/${namespace}${path}` }] } }

const pattern = (path: string): string => `/${namespace}${path.replaceAll(/:(\w+)/g, '(?P<$1>[^/]+)')}`

type Index = { namespace: string; routes: Record<string, RouteDescription>; _links: { up: readonly Link[] } }

/** Returns the namespace index for a root; the descriptions are created once, when they are first asked for. */
export const createIndex = <Context>(routes: readonly Route<Endpoint<Context>>[]): ((root: string) => Index) => {
  const described = lazy(() => routes.map(route => ({ path: route.path, description: withCapabilities(route) })))
  return root => ({
    namespace,
    routes: Object.fromEntries(
      described().map(({ path, description }) => [pattern(path), withLink(description, path, root)]),
    ),
    _links: { up: [{ href: `${root}/` }] },
  })
}
