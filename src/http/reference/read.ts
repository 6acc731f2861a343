import * as v from 'valibot'
import { type Field, fieldsOf, type Schema, typeOf } from './fields.ts'

/** What fits next to the description on a screen of 1440 pixels. */
const width = 58

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** On one line, with a space after `:` and `,`. */
const flat = (value: unknown): string => {
  if (!isObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${flat(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Fills lines with what fits, as scalars of one object are best read next to each other. */
const fill = (parts: readonly string[], indent: string): string => {
  const lines: string[] = []
  for (const [index, part] of parts.entries()) {
    const text = index === parts.length - 1 ? part : `${part},`
    const line = lines.at(-1)
    const joined = `${line} ${text}`
    if (line === undefined || line.includes('\n') || text.includes('\n') || indent.length + joined.length > width)
      lines.push(text)
    else lines[lines.length - 1] = joined
  }
  return lines.map(line => indent + line).join('\n')
}

/** JSON for readers: what fits is on one line. */
export const compactJson = (value: unknown, indent = ''): string => {
  const line = flat(value)
  if (!isObject(value) || indent.length + line.length <= width) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map(one => compactJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${compactJson(one, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${fill(parts, inner)}\n${indent}${close}`
}

/** What the API reference needs of the OpenAPI document; the page and docs/api.md are made from it. */
export type Operation = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  access: string
  parameters: readonly Field[]
  /** Parameters that many operations have: their keys in `Reference.parameters`. */
  common: readonly Common[]
  body: readonly Field[]
  curl: string
  status: string
  answer: string
  fields: readonly Field[]
  /** Errors of its own: `404` → codes. */
  errors: readonly (readonly [status: string, codes: readonly string[]])[]
}

type Common = { key: string; name: string }

export type Group = { name: string; description: string; operations: readonly Operation[] }

export type Reference = {
  version: string
  groups: readonly Group[]
  /** Parameters that several operations have. */
  parameters: readonly (Field & { key: string })[]
  /** Entries of `meta` that every report has. */
  meta: readonly Field[]
  /** Errors that most operations have. */
  errors: readonly (readonly [status: string, codes: readonly string[]])[]
}

const schema = v.custom<Schema>(value => typeof value === 'object' && value !== null)
const parameter = v.object({
  name: v.string(),
  in: v.string(),
  description: v.optional(v.string(), ''),
  required: v.optional(v.boolean(), false),
  schema,
})
const content = v.optional(v.record(v.string(), v.object({ schema, example: v.optional(v.unknown()) })), {})
const operation = v.object({
  operationId: v.string(),
  tags: v.tuple([v.string()]),
  summary: v.string(),
  description: v.optional(v.string(), ''),
  security: v.array(v.record(v.string(), v.array(v.string()))),
  parameters: v.array(v.union([v.object({ $ref: v.string() }), parameter])),
  requestBody: v.optional(v.object({ content })),
  responses: v.record(v.string(), v.object({ description: v.string(), content })),
  'x-codeSamples': v.optional(v.array(v.object({ source: v.string() })), []),
})
const documentSchema = v.object({
  info: v.object({ version: v.string() }),
  tags: v.array(v.object({ name: v.string(), description: v.string() })),
  paths: v.record(v.string(), v.record(v.string(), operation)),
  components: v.object({ parameters: v.record(v.string(), parameter) }),
})

type Parameter = v.InferOutput<typeof parameter>
type ReadOperation = v.InferOutput<typeof operation>

const fieldOf = ({ name, description, required, schema: given }: Parameter): Field => ({
  name,
  type: typeOf(given),
  required,
  description,
})

/** Whom the alternatives of `security` admit. */
const accessOf = (security: ReadOperation['security']): string => {
  const [first = {}] = security
  const [capability] = first.applicationPassword ?? []
  if (capability === undefined) return 'Public.'
  const scopes = security.flatMap(({ applicationPassword = [] }) => applicationPassword.slice(1))
  if (capability === 'identified') return 'Every caller who is identified, also by a share link.'
  const who =
    capability === 'account'
      ? 'Every user of this service, for their own account.'
      : `Requires \`${capability}\`; scopes of an application password: ${scopes.map(scope => `\`${scope}\``).join(', ')}.`
  return security.some(alternative => 'shareLink' in alternative) ? `${who} Share links may call it.` : who
}

/** Error codes by status, from the descriptions in the document itself. */
const errorsOf = ({ responses }: ReadOperation): [string, string[]][] =>
  Object.entries(responses)
    .filter(([status]) => status >= '400')
    .map(([status, { description }]) => [status, description.match(/(?<=`)\w+(?=`)/g) ?? []])

const statusOf = ({ responses }: ReadOperation): string => Object.keys(responses)[0] ?? '200'

const textOf = (example: unknown): string => {
  if (example === undefined) return ''
  return typeof example === 'string' ? example : compactJson(example)
}

/** The entries of `meta` that every report has. */
const metaOf = (operations: readonly ReadOperation[]): Field[] => {
  const metas = operations.flatMap(
    one => one.responses['200']?.content['application/json']?.schema.properties?.meta ?? [],
  )
  const lists = metas.map(meta => fieldsOf(meta, 'meta'))
  const [first = []] = lists
  return first.filter(({ name }) => lists.every(list => list.some(field => field.name === name)))
}

/** What so many operations answer is said once. */
const commonFrom = 20

export const readReference = (given: unknown): Reference => {
  const { info, tags, paths, components } = v.parse(documentSchema, given)
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ path, method: method.toUpperCase(), one })),
  )
  const counts = new Map<string, number>()
  for (const { one } of entries)
    for (const [status, codes] of errorsOf(one))
      for (const code of codes) counts.set(`${status} ${code}`, (counts.get(`${status} ${code}`) ?? 0) + 1)
  const isCommon = (status: string, code: string): boolean => (counts.get(`${status} ${code}`) ?? 0) >= commonFrom
  const common = new Map<string, string[]>()
  for (const name of counts.keys()) {
    const [status = '', code = ''] = name.split(' ')
    if (isCommon(status, code)) common.set(status, [...(common.get(status) ?? []), code])
  }
  const shared = components.parameters
  const read = ({ path, method, one }: (typeof entries)[number]): Operation => {
    const own = one.parameters.flatMap(given => ('$ref' in given ? [] : [given]))
    const names = one.parameters.flatMap(given => ('$ref' in given ? [given.$ref.split('/').at(-1) ?? ''] : []))
    const inPath = names.flatMap(name => shared[name] ?? []).filter(given => given.in === 'path')
    const [body] = Object.values(one.requestBody?.content ?? {})
    const status = statusOf(one)
    const [answer] = Object.values(one.responses[status]?.content ?? {})
    return {
      id: one.operationId,
      method,
      path,
      summary: one.summary,
      description: one.description,
      access: accessOf(one.security),
      parameters: [...inPath, ...own].map(fieldOf),
      common: names.flatMap(key => {
        const given = shared[key]
        return given?.in === 'query' ? [{ key, name: given.name }] : []
      }),
      body: body === undefined ? [] : fieldsOf(body.schema),
      curl: one['x-codeSamples'][0]?.source ?? '',
      status,
      answer: textOf(answer?.example),
      fields: answer === undefined ? [] : fieldsOf(answer.schema).filter(({ name }) => !name.startsWith('meta.')),
      errors: errorsOf(one)
        .map(([code, codes]): [string, string[]] => [code, codes.filter(name => !isCommon(code, name))])
        .filter(([, codes]) => codes.length > 0),
    }
  }
  return {
    version: info.version,
    groups: tags.map(({ name, description }) => ({
      name,
      description,
      operations: entries.filter(({ one }) => one.tags[0] === name).map(read),
    })),
    parameters: Object.entries(shared)
      .filter(([, given]) => given.in === 'query')
      .map(([key, given]) => ({ key, ...fieldOf(given) })),
    meta: metaOf(entries.map(({ one }) => one)),
    errors: [...common].sort(),
  }
}
