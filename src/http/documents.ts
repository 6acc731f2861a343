import * as v from 'valibot'
import type { Endpoint } from './endpoint.ts'
import { endpoint } from './endpoint.ts'
import { createIndex, groupByPath, namespace } from './namespace-index.ts'
import { createOpenApi } from './openapi.ts'

const indexQuery = v.object({
  namespace: v.optional(v.string(), namespace),
  context: v.optional(v.string(), 'view'),
})

const indexOutput = v.looseObject({ namespace: v.string(), routes: v.record(v.string(), v.looseObject({})) })

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
      handle: (_: Context, { url }) => ({ data: index(url.origin + base) }),
    }),
    endpoint({
      method: 'GET',
      path: '/openapi.json',
      can: 'public',
      tag: 'Operation',
      summary: 'The OpenAPI 3.1 document of this service',
      output: v.looseObject({ openapi: v.string() }),
      handle: () => {
        const data = (openApi ??= createOpenApi(all, `${base}/${namespace}`, version))
        return { data, text: (text ??= JSON.stringify(data)) }
      },
    }),
  ]
  const all = [...documents, ...endpoints]
  const index = createIndex(groupByPath(all))
  // Large and rarely requested, hence created on the first request. Anyone may request it: both forms are kept.
  let openApi: ReturnType<typeof createOpenApi> | null = null
  let text: string | null = null
  return all
}

/** The OpenAPI document of a service, as it serves it. */
export const documentOf = <Context>(endpoints: readonly Endpoint<Context>[], base: string, version: string) =>
  createOpenApi(withDocuments(endpoints, base, version), `${base}/${namespace}`, version)
