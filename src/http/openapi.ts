import { STATUS_CODES } from 'node:http'
import type { Endpoint } from './endpoint.ts'
import { curlOf, exampleOf } from './examples.ts'
import { fieldMeanings } from './field-meanings.ts'
import { explain, type JsonSchema, toJsonSchema } from './json-schema.ts'
import { groupByPath } from './namespace-index.ts'
import { components, type Json, retryHeaders, securityOf, totalHeaders } from './openapi-components.ts'
import { shareParameters } from './openapi-parameters.ts'
import introduction from './reference/introduction.txt'
import { isOptional, unwrap } from './schemas.ts'
import { tags } from './tags.ts'

const json = (schema: JsonSchema): Json => ({ 'application/json': { schema } })

const withExample = (content: unknown): Json => (content === undefined ? {} : { example: content })

const failure = (status: string, codes: readonly string[]): Json => ({
  description: `${STATUS_CODES[status] ?? 'Error'}: ${codes.map(code => `\`${code}\``).join(', ')}`,
  ...(['429', '503'].includes(status) && { headers: retryHeaders }),
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
  const { output, status, statuses, list, produces = 'application/json', fields } = endpoint
  const usual = status ?? (output === null ? 204 : 200)
  const content =
    output === null
      ? {}
      : {
          content: {
            [produces]: {
              schema: explain(toJsonSchema(output), { ...fieldMeanings, ...fields }),
              ...withExample(exampleOf(endpoint)?.answer),
            },
          },
        }
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

/** Which share links get 403. */
const limits = {
  always: '',
  goals: 'Share links get 403 unless they show goals and funnels.',
  unfiltered: 'Share links with filters get 403.',
  annotations: 'Share links get 403 unless they show annotations.',
}

const bodyOf = <Context>(endpoint: Endpoint<Context>): Json => {
  const { body, rawBody, accepts } = endpoint
  if (body === undefined && rawBody !== true) return {}
  const schema = body === undefined ? {} : toJsonSchema(body)
  const required =
    Array.isArray(schema.required) || (body !== undefined && unwrap(body).entries === undefined && !isOptional(body))
  return {
    requestBody: {
      required,
      content: Object.fromEntries(
        (accepts ?? ['application/json']).map(type => [type, { schema, ...withExample(exampleOf(endpoint)?.body) }]),
      ),
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

const samplesOf = <Context>(endpoint: Endpoint<Context>): Json => {
  const example = exampleOf(endpoint)
  return example === undefined
    ? {}
    : { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(endpoint.method, example) }] }
}

const operation = <Context>(endpoint: Endpoint<Context>, parameters: readonly Json[]): Json => {
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
    ...samplesOf(endpoint),
  }
}

const openApiPath = (path: string): string => (path === '' ? '/' : path.replaceAll(/:(\w+)/g, '{$1}'))

/** The OpenAPI 3.1 document, generated from the endpoints' schemas. `root` is the path of the namespace. */
export const createOpenApi = <Context>(
  endpoints: readonly Endpoint<Context>[],
  root: string,
  version: string,
): Json => {
  const parameters = shareParameters(endpoints)
  const used = new Set<string>(endpoints.map(({ tag }) => tag))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Footfall',
      version,
      description: introduction.trimEnd(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: root }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      groupByPath(endpoints).map(route => [
        openApiPath(route.path),
        Object.fromEntries(
          route.endpoints.map(endpoint => [
            endpoint.method.toLowerCase(),
            operation(endpoint, parameters.of(endpoint)),
          ]),
        ),
      ]),
    ),
    components: { ...components, parameters: { ...components.parameters, ...parameters.shared } },
  }
}
