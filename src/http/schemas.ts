import * as v from 'valibot'

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

/** An entry of an object that is required unless the entry `instead` has a value. */
export const requiredUnless = <Schema extends v.GenericSchema>(instead: string, schema: Schema) =>
  v.pipe(v.optional(schema), v.metadata({ instead }))

/** The entry that may be given instead of a required one. */
export const insteadOf = (node: SchemaNode): string | undefined => {
  const instead = v.getMetadata(node).instead
  return typeof instead === 'string' ? instead : undefined
}

/** Whether the value may be omitted, with or without a default. */
export const isOptional = (node: SchemaNode): boolean => optional.has(node.type) && insteadOf(node) === undefined

/** Whether null is a value; in other schemas it means absent. */
export const takesNull = (node: SchemaNode): boolean =>
  nullable.has(node.type) || (node.wrapped !== undefined && takesNull(node.wrapped))

/** The schema inside `optional`, `nullable` and similar wrappers. */
export const unwrap = (node: SchemaNode): SchemaNode => (node.wrapped === undefined ? node : unwrap(node.wrapped))

const isSchemaNode = (value: unknown): value is SchemaNode =>
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

/** Whether the text is a calendar date: 2026-02-29 is not, and there was no year 0. */
export const isCalendarDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && !text.startsWith('0000') && new Date(time).toISOString().startsWith(text)
}

/** A date, `YYYY-MM-DD`. The pattern comes first because the platform's message contains it. */
export const dateSchema = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/), v.check(isCalendarDay, 'Invalid date.'))

/** A day in a query or body. */
export const siteDaySchema = v.pipe(dateSchema, v.description("A day in the site's time zone, YYYY-MM-DD."))

/** A time in responses: RFC 3339 in UTC. */
export const timeSchema = v.pipe(v.string(), v.isoTimestamp())

export const countSchema = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A fraction, or null when its denominator is 0. */
export const ratioSchema = v.nullable(v.number())

/** The number of rows; values out of range are refused, not clamped. */
export const limitSchema = (maximum = 200, defaultLimit = 25) =>
  v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maximum), v.description('Maximum number of rows.')),
    defaultLimit,
  )

export const offsetSchema = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Number of rows to skip.')),
  0,
)

/** Query parameters of a list. */
export const pagination = { limit: limitSchema(), offset: offsetSchema }

/** Headers of a list's response. `total` counts the rows of all pages. */
export const totals = (total: number, limit: number): Record<string, string> => ({
  'x-wp-total': String(total),
  'x-wp-totalpages': String(Math.ceil(total / limit)),
})

/** The id of a saved row, in a path. */
export const idSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.description('Id, as the list has it.'))

/** The UUID of a saved row, in a path. */
export const uuidSchema = v.pipe(v.string(), v.description('UUID, as the list has it.'))
