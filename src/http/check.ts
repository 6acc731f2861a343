import * as v from 'valibot'
import type { Values } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { type Detail, invalid, missing } from './errors.ts'
import { alternativesOf, insteadOf, isOptional, nodeAt, type SchemaNode, takesNull, typeOf, unwrap } from './schemas.ts'
import { explain, notDeclared, rank } from './validation-messages.ts'

const numeric = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i
const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The platform takes `5`, `5.0` and ` 5e0 ` as numbers. Integers beyond the safe range stay text and are refused. */
const toNumber = (value: unknown, whole: boolean): unknown => {
  const number = typeof value === 'string' && numeric.test(value) ? Number(value) : value
  if (typeof number !== 'number') return value
  const exact = whole && Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number)
  return exact ? number : String(value)
}

const toBoolean = (value: unknown): unknown =>
  booleans.get(typeof value === 'string' ? value.toLowerCase() : value) ?? value

/** A scalar is split into a list at commas and white space. */
const toList = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? ['1'] : []
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .split(/[\s,]+/)
        .filter(item => item !== '')
    : value
}

const toMembers = (node: SchemaNode, value: unknown): unknown => {
  if (value === '') return {}
  // valibot takes an array for an object; text is refused.
  if (Array.isArray(value)) return 'a list'
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const schema =
        node.entries !== undefined && Object.hasOwn(node.entries, key) ? node.entries[key] : (node.rest ?? node.value)
      return [key, schema === undefined ? member : coerce(schema, member)]
    }),
  )
}

const toAlternative = (node: SchemaNode, value: unknown): unknown => {
  const match = alternativesOf(node).find(option => v.is(option, coerce(option, value)))
  return match === undefined ? value : coerce(match, value)
}

/**
 * Converts query string values to the types of the schema, by the platform's rules. A value that cannot be
 * converted is returned unchanged, for the schema to refuse.
 */
export const coerce = (given: SchemaNode, value: unknown): unknown => {
  const node = unwrap(given)
  if (value === null || value === undefined) return value
  if (node.type === 'union') return toAlternative(node, value)
  switch (typeOf(node)) {
    case 'integer':
      return toNumber(value, true)
    case 'number':
      return toNumber(value, false)
    case 'boolean':
      return toBoolean(value)
    case 'object':
      return toMembers(node, value)
    case 'array': {
      const list = toList(value)
      const item = node.item
      return Array.isArray(list) && item !== undefined ? list.map(member => coerce(item, member)) : list
    }
    default:
      return value
  }
}

/** A request's values by source. */
export type RequestValues = { query: Values; body: unknown; path: Values }
export type ParsedValues = { query: unknown; body: unknown; params: unknown }

/** The check of one schema: which values are missing, which are invalid, and the parsed result. */
type PartCheck = {
  missing: (given: RequestValues) => string[]
  check: (given: RequestValues) => { wrong: Readonly<Record<string, Detail>>; output: unknown }
}

type Issue = v.BaseIssue<unknown>

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nameOf = (path: readonly unknown[]): string =>
  path.map((key, at) => (at === 0 ? String(key) : `[${String(key)}]`)).join('')

const sameKeys = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((key, at) => key === other[at])

/** One message per parameter: for its first invalid value, the issue that the platform would report. */
const messagesOf = (node: SchemaNode, issues: readonly Issue[], root?: string): Record<string, Detail> => {
  const byName = new Map<string, { issue: Issue; path: readonly unknown[] }>()
  for (const issue of issues) {
    const keys = issue.path?.map(item => item.key) ?? []
    const path = root === undefined ? keys : [root, ...keys]
    const name = String(path[0] ?? 'body')
    const previous = byName.get(name)
    if (previous === undefined || (sameKeys(previous.path, path) && rank(issue) < rank(previous.issue)))
      byName.set(name, { issue, path })
  }
  return Object.fromEntries(
    [...byName].map(([name, { issue, path }]) => {
      const keys = issue.path?.map(item => item.key) ?? []
      return [name, explain(issue, nameOf(path), nameOf(path.slice(0, -1)), nodeAt(node, keys))]
    }),
  )
}

const undeclaredErrors = (others: Values): Record<string, Detail> =>
  Object.fromEntries(Object.keys(others).map(name => [name, notDeclared(name)]))

const result = (node: SchemaNode, input: unknown, root?: string): ReturnType<PartCheck['check']> => {
  const parsed = v.safeParse(node, input)
  return parsed.success
    ? { wrong: {}, output: parsed.output }
    : { wrong: messagesOf(node, parsed.issues, root), output: null }
}

/** Checks named values. `find` looks up a name as the platform does; `othersOf` returns the undeclared values. */
const namedPart = (
  node: SchemaNode,
  find: (given: RequestValues, name: string) => unknown,
  othersOf: (given: RequestValues, declared: Readonly<Record<string, SchemaNode>>) => Values,
): PartCheck => {
  const entries = node.entries ?? {}
  const fields = Object.entries(entries).map(([name, field]) => ({
    name,
    field,
    required: !isOptional(field),
    instead: insteadOf(field),
    nullable: takesNull(field),
  }))
  const absent = (value: unknown, nullable: boolean): boolean => value === undefined || (value === null && !nullable)
  return {
    missing: given =>
      fields
        .filter(({ name, required, nullable }) => required && absent(find(given, name), nullable))
        .filter(({ instead }) => instead === undefined || find(given, instead) === undefined)
        .map(({ name }) => name),
    check: given => {
      const values = fields.map(({ name, field, nullable }) => ({ name, field, nullable, value: find(given, name) }))
      const present = values.filter(({ value, nullable }) => !absent(value, nullable))
      const input = Object.fromEntries(present.map(({ name, field, value }) => [name, coerce(field, value)]))
      const others = othersOf(given, entries)
      if (node.type !== 'strict_object') return result(node, { ...others, ...input })
      // valibot reports only the first undeclared key.
      const { wrong, output } = result(node, input)
      return { wrong: { ...wrong, ...undeclaredErrors(others) }, output }
    },
  }
}

const own = (values: unknown, name: string): unknown =>
  isValues(values) && Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined

/** Looks in the body, then in the query. A null in the body counts only if neither has a value. */
const inBodyOrQuery = ({ body, query }: RequestValues, name: string): unknown =>
  own(body, name) ?? own(query, name) ?? (isValues(body) && Object.hasOwn(body, name) ? null : undefined)

/** Parameters of a query are looked up in the body as well. `name.key=value` is a member of a record, under its whole name. */
const inQueryOf = (node: SchemaNode): typeof inBodyOrQuery => {
  const records = Object.entries(node.entries ?? {}).flatMap(([name, field]) =>
    unwrap(field).type === 'record' ? [name] : [],
  )
  return (given, name) => {
    const found = inBodyOrQuery(given, name)
    if (found !== undefined || !records.includes(name)) return found
    const members = Object.entries(given.query).filter(([key]) => key.startsWith(`${name}.`))
    return members.length === 0 ? undefined : Object.fromEntries(members)
  }
}

/** Endpoints with a list of content types ignore the query: it ends up in logs, and could contain a password. */
const inBodyOnly = ({ body }: RequestValues, name: string): unknown =>
  own(body, name) ?? (isValues(body) && Object.hasOwn(body, name) ? null : undefined)

const undeclared = ({ body }: RequestValues, declared: Readonly<Record<string, SchemaNode>>): Values =>
  isValues(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(declared, name))) : {}

/** A body that is not an object (a list, a union) is checked as a whole, under the name `body`. */
const wholePart = (node: SchemaNode): PartCheck => ({
  missing: ({ body }) => (body === undefined && !isOptional(node) ? ['body'] : []),
  check: ({ body }) => result(node, coerce(node, body), 'body'),
})

const nothing: PartCheck = { missing: () => [], check: () => ({ wrong: {}, output: {} }) }

const bodyPart = (schema: SchemaNode, find: typeof inBodyOnly): PartCheck => {
  const node = unwrap(schema)
  return node.entries === undefined ? wholePart(schema) : namedPart(node, find, undeclared)
}

/** @throws ApiError 400 with all missing parameters, or else with all invalid ones */
export type Check = (given: RequestValues) => ParsedValues

/** Creates the check of an endpoint's or a report's parameters. */
export const createCheck = ({
  query,
  body,
  params,
  accepts,
}: Pick<Endpoint<never>, 'query' | 'body' | 'params' | 'accepts'>): Check => {
  const inPath =
    params === undefined
      ? nothing
      : namedPart(
          params,
          (given, name) => own(given.path, name),
          () => ({}),
        )
  const inQuery = query === undefined ? nothing : namedPart(query, inQueryOf(query), () => ({}))
  const inBody = body === undefined ? nothing : bodyPart(body, accepts === undefined ? inBodyOrQuery : inBodyOnly)
  const parts = [inPath, inQuery, inBody]
  return given => {
    const absent = parts.flatMap(part => part.missing(given))
    if (absent.length > 0) throw missing(absent)
    const [fromPath, fromQuery, fromBody] = [inPath.check(given), inQuery.check(given), inBody.check(given)]
    const wrong = { ...fromPath.wrong, ...fromQuery.wrong, ...fromBody.wrong }
    if (Object.keys(wrong).length > 0) throw invalid(wrong)
    return { query: fromQuery.output, body: fromBody.output, params: fromPath.output }
  }
}
