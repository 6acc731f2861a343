import {
  type Action,
  actionsOf,
  alternativesOf,
  isCalendarDay,
  isOptional,
  type SchemaNode,
  typeOf,
} from './schemas.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

const members = (node: SchemaNode): JsonSchema => {
  const entries = Object.entries(node.entries ?? {})
  const required = entries.filter(([, member]) => !isOptional(member)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, member]) => [name, toJsonSchema(member)])),
    ...(required.length > 0 && { required }),
  }
}

const inner = (node: SchemaNode | undefined): JsonSchema => (node === undefined ? {} : toJsonSchema(node))

/** The schema or null. */
const orNull = (schema: JsonSchema): JsonSchema => {
  if (typeof schema.type !== 'string')
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) }
}

const withDefault = (schema: JsonSchema, given: unknown): JsonSchema =>
  given === undefined || typeof given === 'function' ? schema : { ...schema, default: given }

const schemas: Readonly<Record<string, (node: SchemaNode) => JsonSchema>> = {
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  null: () => ({ type: 'null' }),
  any: () => ({}),
  unknown: () => ({}),
  literal: node => ({ type: typeOf(node), enum: [node.literal] }),
  picklist: node => ({ type: typeOf(node), enum: node.options }),
  array: node => ({ type: 'array', items: inner(node.item) }),
  object: members,
  loose_object: node => ({ ...members(node), additionalProperties: true }),
  strict_object: node => ({ ...members(node), additionalProperties: false }),
  object_with_rest: node => ({ ...members(node), additionalProperties: inner(node.rest) }),
  record: node => ({
    type: 'object',
    additionalProperties: inner(node.value),
    ...(node.key !== undefined && actionsOf(node.key).length > 0 && { propertyNames: toJsonSchema(node.key) }),
  }),
  union: node => ({ anyOf: alternativesOf(node).map(toJsonSchema) }),
  variant: node => ({ anyOf: alternativesOf(node).map(toJsonSchema) }),
  optional: node => withDefault(inner(node.wrapped), node.default),
  exact_optional: node => withDefault(inner(node.wrapped), node.default),
  nullable: node => withDefault(orNull(inner(node.wrapped)), node.default),
  nullish: node => withDefault(orNull(inner(node.wrapped)), node.default),
}

/** The keyword for a length differs between strings and arrays. */
const sized =
  (side: 'min' | 'max') =>
  (action: Action, node: SchemaNode): JsonSchema => ({
    [node.type === 'array' ? `${side}Items` : `${side}Length`]: action.requirement,
  })

const actions: Readonly<Record<string, (action: Action, node: SchemaNode) => JsonSchema>> = {
  integer: () => ({ type: 'integer' }),
  safe_integer: () => ({ type: 'integer' }),
  finite: () => ({}),
  min_value: action => ({ minimum: action.requirement }),
  max_value: action => ({ maximum: action.requirement }),
  multiple_of: action => ({ multipleOf: action.requirement }),
  min_length: sized('min'),
  max_length: sized('max'),
  non_empty: (action, node) => sized('min')({ ...action, requirement: 1 }, node),
  regex: action => ({ pattern: action.requirement instanceof RegExp ? action.requirement.source : undefined }),
  iso_timestamp: () => ({ format: 'date-time' }),
  email: () => ({ format: 'email' }),
  uuid: () => ({ format: 'uuid' }),
  url: () => ({ format: 'uri' }),
  // Other checks cannot be expressed in JSON Schema.
  check: action => (action.requirement === isCalendarDay ? { format: 'date' } : {}),
  description: action => ({ description: action.description }),
  title: action => ({ title: action.title }),
  readonly: () => ({}),
  // For requiredUnless: JSON Schema has no word for it that client generators understand.
  metadata: () => ({}),
}

/**
 * The JSON Schema for the platform's `args` and OpenAPI. Throws for unsupported schemas, such as transforms, so that
 * the documents cover every check.
 */
export const toJsonSchema = (node: SchemaNode): JsonSchema => {
  const schema = schemas[node.type]
  if (schema === undefined) throw new TypeError(`no JSON Schema for valibot's ${node.type}`)
  return actionsOf(node).reduce<JsonSchema>((result, action) => {
    const keywords = actions[action.type]
    if (keywords === undefined) throw new TypeError(`no JSON Schema for valibot's ${action.type}`)
    return { ...result, ...keywords(action, node) }
  }, schema(node))
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Describes the properties that have no description of their own, at any depth, by what their names mean. */
export const explain = (schema: JsonSchema, meanings: Readonly<Record<string, string>>): JsonSchema => {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside)
    return isSchema(value) ? explain(value, meanings) : value
  }
  const described = (name: string, member: unknown): unknown => {
    const explained = inside(member)
    const description = meanings[name]
    return description === undefined || !isSchema(explained) ? explained : { description, ...explained }
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isSchema(value))
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, described(name, one)]))]
      return [keyword, ['items', 'anyOf', 'additionalProperties'].includes(keyword) ? inside(value) : value]
    }),
  )
}
