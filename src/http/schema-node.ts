import type * as v from 'valibot'

/** An action of a pipe: a check (`min_length`, `regex` …) or metadata (`description`). */
export type Action = {
  readonly kind: string
  readonly type: string
  readonly requirement?: unknown
  readonly description?: string
  readonly title?: string
  readonly message?: unknown
}

/** A valibot schema as a tree node. Every schema is assignable to this type, so walking one needs no casts. */
export type SchemaNode = v.GenericSchema & {
  readonly pipe?: readonly (SchemaNode | Action)[]
  readonly wrapped?: SchemaNode
  readonly default?: unknown
  readonly item?: SchemaNode
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly rest?: SchemaNode
  readonly key?: SchemaNode
  readonly value?: SchemaNode
  readonly options?: readonly unknown[]
  readonly literal?: unknown
}

const optional = new Set(['optional', 'exact_optional', 'nullish'])
const nullable = new Set(['nullable', 'nullish', 'null', 'any', 'unknown'])

/** Whether the value may be omitted, with or without a default. */
export const isOptional = (node: SchemaNode): boolean => optional.has(node.type)

/** Whether null is a value; in other schemas it means absent. */
export const takesNull = (node: SchemaNode): boolean =>
  nullable.has(node.type) || (node.wrapped !== undefined && takesNull(node.wrapped))

/** The schema inside `optional`, `nullable` and similar wrappers. */
export const unwrap = (node: SchemaNode): SchemaNode => (node.wrapped === undefined ? node : unwrap(node.wrapped))

export const isSchemaNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

/** The actions of the schema's pipe, and before them those of a pipe that it continues. */
export const actionsOf = (node: SchemaNode): Action[] =>
  (node.pipe ?? []).flatMap(step => (isSchemaNode(step) ? actionsOf(step) : [step]))

/** The alternatives of a union or variant. */
export const alternativesOf = (node: SchemaNode): SchemaNode[] => (node.options ?? []).filter(isSchemaNode)

/** The node at an issue's path; undefined if the schema does not declare it. */
export const nodeAt = (node: SchemaNode, path: readonly unknown[]): SchemaNode | undefined => {
  const current = unwrap(node)
  if (path.length === 0) return current
  const [key, ...remaining] = path
  const next =
    current.item ?? (typeof key === 'string' ? current.entries?.[key] : undefined) ?? current.rest ?? current.value
  return next === undefined ? undefined : nodeAt(next, remaining)
}

/** The platform's name of a schema's type; null for unions and `any`. */
export const typeOf = (node: SchemaNode): string | null => {
  switch (node.type) {
    case 'number':
      return actionsOf(node).some(action => action.type === 'integer' || action.type === 'safe_integer')
        ? 'integer'
        : 'number'
    case 'picklist':
      return typeof node.options?.[0]
    case 'literal':
      return typeof node.literal
    case 'object':
    case 'loose_object':
    case 'strict_object':
    case 'object_with_rest':
    case 'record':
      return 'object'
    case 'string':
    case 'boolean':
    case 'array':
    case 'null':
      return node.type
    default:
      return null
  }
}
