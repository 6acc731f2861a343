// Validates every response against the OpenAPI document.
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value)

/** Forbids undocumented keys, unless the document sets `additionalProperties` itself. */
const close = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(close)
  if (!isObject(value)) return value
  const closed = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, close(member)]))
  return value.type === 'object' && isObject(value.properties) && value.additionalProperties === undefined
    ? { ...closed, additionalProperties: false }
    : closed
}

const matcher = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}/*$`)

export type AnswerChecker = (method: string, path: string, status: number, body: unknown) => string[]

/**
 * Reports undocumented statuses, bodies that do not match their schema, and undocumented keys. `path` may include a
 * query; with `_fields`, successful bodies are not validated. `body` is the parsed JSON, or undefined. Paths outside
 * the document's server are ignored.
 */
export const answerChecker = (document: unknown): AnswerChecker => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  const components = close(at(document, 'components'))
  // Only the schemas of what is asked for: compiling those of all answers takes as long as starting a service.
  const validators = new Map<unknown, ValidateFunction>()
  const validatorOf = (schema: Json): ValidateFunction => {
    const found = validators.get(schema) ?? ajv.compile({ ...(close(schema) as Json), components })
    validators.set(schema, found)
    return found
  }
  const paths = Object.keys(at(document, 'paths') as Json).sort(
    (one, other) => Number(one.includes('{')) - Number(other.includes('{')),
  )
  const routes = paths.map(template => ({ template, matches: matcher(template === '/' ? '' : template) }))
  const servers = at(document, 'servers')
  const root = String(at(Array.isArray(servers) ? servers[0] : undefined, 'url'))

  const fit = (keys: string[], body: unknown): string[] => {
    const schema = at(document, ...keys)
    if (!isObject(schema)) return [`no schema at ${keys.join(' ')}`]
    const validate = validatorOf(schema)
    return validate(body) === true
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
        )
  }

  const check: AnswerChecker = (asked, path, status, body) => {
    const [pathname = '', query = ''] = path.split('?')
    if (pathname !== root && !pathname.startsWith(`${root}/`)) return []
    const method = asked === 'HEAD' ? 'get' : asked.toLowerCase()
    const route = routes.find(({ matches }) => matches.test(pathname.slice(root.length)))
    const operation = at(document, 'paths', route?.template ?? '', method)
    const error = ['components', 'schemas', 'Error']
    if (asked === 'OPTIONS') return status === 200 ? [] : fit(error, body)
    if (route === undefined || operation === undefined)
      return status === 404
        ? asked === 'HEAD'
          ? []
          : fit(error, body)
        : [`${status} on a route that is not documented`]
    const response = at(operation, 'responses', String(status))
    if (response === undefined) return [`status ${status} is not documented`]
    if (at(response, 'content') === undefined) return body === undefined ? [] : ['a body where none is documented']
    if (asked === 'HEAD') return body === undefined ? [] : ['a body in an answer to HEAD']
    if (body === undefined) return ['no body']
    if (status < 400 && /(^|&)_fields(\[|=)/.test(query)) return []
    return fit(
      ['paths', route.template, method, 'responses', String(status), 'content', 'application/json', 'schema'],
      body,
    )
  }
  return (method, path, status, body) =>
    check(method, path, status, body).map(problem => `${method} ${path} ${status}: ${problem}`)
}
