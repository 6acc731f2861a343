import { STATUS_CODES } from 'node:http'
import type { Endpoint } from './endpoint.ts'
import { toJsonSchema } from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { groupByPath } from './namespace-index.ts'
import { isOptional, unwrap } from './schema-node.ts'
import type { SchemaNode } from './schema-node.ts'
import { components, securityOf, totalHeaders } from './openapi-components.ts'
import type { Json } from './openapi-components.ts'

const json = (schema: JsonSchema): Json => ({ 'application/json': { schema } })

const failure = (status: string, codes: readonly string[]): Json => ({
  description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.map(code => `\`${code}\``).join(', ')}`,
  content: json({ allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] }),
})

/** Error codes by status: the common ones, then the endpoint's own. */
const errorsOf = <Context>(endpoint: Endpoint<Context>): Map<string, string[]> => {
  const { method, can, servedBy, query, params, errors } = endpoint
  const byStatus = new Map<string, string[]>()
  const add = (status: string, ...codes: readonly string[]): void => {
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), ...codes])])
  }
  if (query !== undefined || params !== undefined || method !== 'GET')
    add('400', 'rest_missing_callback_param', 'rest_invalid_param')
  if (method !== 'GET') add('400', 'rest_invalid_json', 'rest_request_incomplete')
  if (can !== 'public') add('401', 'rest_forbidden')
  if (can !== 'public') add('403', 'rest_forbidden', 'rest_second_factor_required')
  if (servedBy === undefined) add('403', 'rest_cookie_invalid_nonce')
  if (can !== 'public') add('429', 'rest_too_many_requests')
  if (can !== 'public') add('503', 'identity_unavailable')
  if (method !== 'GET') add('413', 'rest_payload_too_large')
  if (method !== 'GET') add('415', 'rest_unsupported_media_type')
  add('500', 'internal_error')
  add('503', 'storage_unavailable')
  for (const [status, codes] of Object.entries(errors ?? {})) add(status, ...codes)
  return byStatus
}

const responsesOf = <Context>(endpoint: Endpoint<Context>): Json => {
  const { output, status, statuses, list, produces } = endpoint
  const content =
    output === null
      ? {}
      : {
          content:
            produces === undefined ? json(toJsonSchema(output)) : { [produces]: { schema: toJsonSchema(output) } },
        }
  const usual = status ?? (output === null ? 204 : 200)
  const success = (description: string) => ({
    description,
    ...(list === true && { headers: totalHeaders }),
    ...content,
  })
  return {
    [usual]: success(STATUS_CODES[usual] ?? 'Success'),
    ...Object.fromEntries(Object.entries(statuses ?? {}).map(([further, when]) => [further, success(when)])),
    ...Object.fromEntries([...errorsOf(endpoint)].map(([failed, codes]) => [failed, failure(failed, codes)])),
  }
}

const parametersIn = (place: 'path' | 'query', schema: SchemaNode | undefined): Json[] =>
  Object.entries(schema === undefined ? {} : (unwrap(schema).entries ?? {})).map(([name, field]) => {
    const { description, ...rest } = toJsonSchema(field)
    return {
      name,
      in: place,
      ...(description !== undefined && { description }),
      required: place === 'path' || !isOptional(field),
      ...(rest.type === 'array' && { style: 'form', explode: false }),
      // Its members are parameters of their own.
      ...(rest.type === 'object' && place === 'query' && { style: 'form', explode: true }),
      schema: rest,
    }
  })

/** Which share links get 403. */
const limits = {
  always: '',
  goals: 'Share links get 403 unless they show goals and funnels.',
  unfiltered: 'Share links with filters get 403.',
  annotations: 'Share links get 403 unless they show annotations.',
}

/** Path variables without a schema are strings. */
const pathParameters = <Context>({ path, params }: Endpoint<Context>): Json[] => {
  const described = parametersIn('path', params)
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  return names.map(
    name =>
      described.find(parameter => parameter.name === name) ?? {
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      },
  )
}

const bodyOf = <Context>({ body, rawBody, accepts }: Endpoint<Context>): Json => {
  if (body === undefined && rawBody !== true) return {}
  const schema = body === undefined ? {} : toJsonSchema(body)
  const required =
    Array.isArray(schema.required) || (body !== undefined && unwrap(body).entries === undefined && !isOptional(body))
  return {
    requestBody: {
      required,
      content: Object.fromEntries((accepts ?? ['application/json']).map(type => [type, { schema }])),
    },
  }
}

/** `GET /events/:name` is `getEventsByName`. */
const operationId = <Context>({ method, path }: Endpoint<Context>): string =>
  method.toLowerCase() +
  path.replaceAll('/:', '/by-').replaceAll(/[/.-]+(\w)/g, (_, letter: string) => letter.toUpperCase())

const describe = <Context>({ description, shared }: Endpoint<Context>): { description?: string } => {
  const sentences = [description, shared !== undefined && limits[shared]].filter(Boolean)
  return sentences.length === 0 ? {} : { description: sentences.join(' ') }
}

const operation = <Context>(endpoint: Endpoint<Context>): Json => {
  const parameters = [...pathParameters(endpoint), ...parametersIn('query', endpoint.query)]
  const fields = endpoint.output === null ? [] : [{ $ref: '#/components/parameters/fields' }]
  return {
    operationId: operationId(endpoint) === 'get' ? 'getIndex' : operationId(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...describe(endpoint),
    security: securityOf(endpoint),
    parameters: [...parameters, ...fields],
    ...bodyOf(endpoint),
    responses: responsesOf(endpoint),
  }
}

const openApiPath = (path: string): string => (path === '' ? '/' : path.replaceAll(/:(\w+)/g, '{$1}'))

/** The OpenAPI 3.1 document, generated from the endpoints' schemas. `root` is the path of the namespace. */
export const createOpenApi = <Context>(
  endpoints: readonly Endpoint<Context>[],
  root: string,
  version: string,
): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Footfall',
    version,
    description:
      'Web analytics without cookies. HEAD answers like GET without a body, ' +
      "OPTIONS with a route's methods and arguments. " +
      '`_method` and `X-HTTP-Method-Override` replace the method of a POST. ' +
      'The security of an operation names the capability that it requires; `manage_options` includes `view_reports`, ' +
      'and for an application password one of its scopes. ' +
      '`account` is what every user of this service has, for their own account.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: root }],
  tags: [...new Set(endpoints.map(({ tag }) => tag))].map(name => ({ name })),
  paths: Object.fromEntries(
    groupByPath(endpoints).map(route => [
      openApiPath(route.path),
      Object.fromEntries(route.endpoints.map(endpoint => [endpoint.method.toLowerCase(), operation(endpoint)])),
    ]),
  ),
  components,
})
