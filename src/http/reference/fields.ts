/** A schema of the OpenAPI document, as far as it is shown. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

/** A parameter, or a member of a body or an answer; nested names have dots, lists `[]`. */
export type Field = { name: string; type: string; required: boolean; description: string }

const boundsOf = ({ minimum, maximum, maxLength }: Schema): string => {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum} to ${maximum}`
  if (maximum !== undefined) return ` up to ${maximum}`
  if (minimum !== undefined && minimum !== 0) return ` from ${minimum}`
  return maxLength === undefined ? '' : `, at most ${maxLength} characters`
}

const valuesOf = (values: readonly unknown[]): string =>
  values
    .filter(value => value !== null)
    .map(value => `\`${String(value)}\``)
    .join(', ')

const baseOf = (schema: Schema): string => {
  const { type, format, items, anyOf } = schema
  if (schema.enum !== undefined) return valuesOf(schema.enum)
  if (anyOf !== undefined) return [...new Set(anyOf.filter(one => one.type !== 'null').map(baseOf))].join(' or ')
  const [name = 'any'] = [type ?? 'any'].flat().filter(one => one !== 'null')
  if (name === 'array') return items === undefined ? 'list' : `list of ${baseOf(items)}`
  return format === 'date' || format === 'date-time' ? format.replace('date-time', 'time') : name
}

const takesNull = ({ type, anyOf }: Schema): boolean =>
  [type].flat().includes('null') || (anyOf?.some(one => one.type === 'null') ?? false)

/** The type in words, such as `integer 1 to 200, or null; default 25`. */
export const typeOf = (schema: Schema): string =>
  baseOf(schema) +
  boundsOf(schema) +
  (takesNull(schema) ? ', or null' : '') +
  (schema.default === undefined || schema.default === null || typeof schema.default === 'object'
    ? ''
    : `; default \`${String(schema.default)}\``)

/** The parts of a schema that have members: itself, the rows of a list, the alternatives of a union. */
const partsOf = (schema: Schema, name: string): [Schema, string][] => {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(one => partsOf(one, name))
  if (schema.items !== undefined) return partsOf(schema.items, `${name}[]`)
  return [[schema, name]]
}

/** All members that a schema describes, and the first level of the others. */
export const fieldsOf = (schema: Schema, prefix = ''): Field[] => {
  const fields = partsOf(schema, prefix).flatMap(([part, name]) =>
    Object.entries(part.properties ?? {}).flatMap(([key, member]): Field[] => {
      const path = name === '' ? key : `${name}.${key}`
      const required = part.required?.includes(key) ?? false
      const own = { name: path, type: typeOf(member), required, description: member.description ?? '' }
      return [own, ...fieldsOf(member, path)]
    }),
  )
  return [...new Map(fields.map(field => [field.name, field])).values()]
}
