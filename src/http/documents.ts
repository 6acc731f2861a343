import * as v from 'valibot'
import { lazy } from '../lib/lazy.ts'
import { memoize } from '../lib/lru-cache.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { createIndex, groupByPath, namespace } from './namespace-index.ts'
import { createOpenApi } from './openapi.ts'
import { type StaticFile, staticFile } from './static.ts'

const indexQuery = v.object({
  namespace: v.optional(v.string(), namespace),
  context: v.optional(v.string(), 'view'),
})

const indexOutput = v.looseObject({ namespace: v.string(), routes: v.record(v.string(), v.looseObject({})) })

/** Origins by which one service is usually reached: its own, and that of a proxy. */
const maxRoots = 4

const jsonFile = (data: unknown): StaticFile => staticFile(JSON.stringify(data), 'application/json; charset=UTF-8', {})

/** Prepends the namespace index and the OpenAPI document, which describe all endpoints including themselves. */
export const withDocuments = <Context>(
  endpoints: readonly Endpoint<Context>[],
  base: string,
  version: string,
): readonly Endpoint<Context>[] => {
  const documents: readonly Endpoint<Context>[] = [
    endpoint({
      method: 'GET',
      path: '',
      can: 'public',
      tag: 'Operation',
      summary: 'All routes with their methods and arguments',
      query: indexQuery,
      output: indexOutput,
      handle: (_: Context, { url }) => {
        const root = url.origin + base
        return { file: indexFile(root), parts: () => index(root) }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/openapi.json',
      can: 'public',
      tag: 'Operation',
      summary: 'The OpenAPI 3.1 document of this service',
      output: v.looseObject({ openapi: v.string() }),
      handle: () => ({ file: openApiFile(), parts: openApi }),
    }),
  ]
  const all = [...documents, ...endpoints]
  const index = createIndex(groupByPath(all))
  // Large and rarely requested, hence created on the first request. Anyone may request them: all forms are kept.
  const indexFile = memoize(maxRoots, root => jsonFile(index(root)))
  const openApi = lazy(() => createOpenApi(all, `${base}/${namespace}`, version))
  const openApiFile = lazy(() => jsonFile(openApi()))
  return all
}

/** The OpenAPI document of a service, as it serves it. */
export const documentOf = <Context>(endpoints: readonly Endpoint<Context>[], base: string, version: string) =>
  createOpenApi(withDocuments(endpoints, base, version), `${base}/${namespace}`, version)
