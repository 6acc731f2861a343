import type * as v from 'valibot'

/** A step of a pipe: a check (`min_length`, `regex` …) or a note (`description`). */
export type Action = {
  readonly kind: string
  readonly type: string
  readonly requirement?: unknown
  readonly description?: string
  readonly title?: string
}

/** A valibot schema as walkers read it. Every schema fits this type as it is, so that no walker needs a cast. */
export type Node = v.GenericSchema & {
  readonly pipe?: readonly (Node | Action)[]
  readonly wrapped?: Node
  readonly default?: unknown
  readonly item?: Node
  readonly entries?: Readonly<Record<string, Node>>
  readonly rest?: Node
  readonly value?: Node
  readonly options?: readonly unknown[]
  readonly literal?: unknown
}

const optional = new Set(['optional', 'exact_optional', 'nullish'])
const nullable = new Set(['nullable', 'nullish', 'null', 'any', 'unknown'])

/** May be left out, with or without a default. */
export const isOptional = (node: Node): boolean => optional.has(node.type)

/** Takes null as a value of its own; elsewhere null means absent. */
export const takesNull = (node: Node): boolean =>
  nullable.has(node.type) || (node.wrapped !== undefined && takesNull(node.wrapped))

/** The schema without `optional`, `nullable` and the like around it. */
export const unwrap = (node: Node): Node => (node.wrapped === undefined ? node : unwrap(node.wrapped))

/** The steps after the schema itself. */
export const actionsOf = (node: Node): Action[] => (node.pipe ?? []).filter(step => step.kind !== 'schema')

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

/** The alternatives of a union or variant. */
export const alternativesOf = (node: Node): Node[] => (node.options ?? []).filter(isNode)

/** The member an issue's path leads to, or undefined where the schema says nothing about it. */
export const nodeAt = (node: Node, path: readonly unknown[]): Node | undefined => {
  const here = unwrap(node)
  if (path.length === 0) return here
  const [key, ...further] = path
  const next = here.item ?? (typeof key === 'string' ? here.entries?.[key] : undefined) ?? here.rest ?? here.value
  return next === undefined ? undefined : nodeAt(next, further)
}

/** The platform's word for what a schema takes; null for unions and anything. */
export const typeOf = (node: Node): string | null => {
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
