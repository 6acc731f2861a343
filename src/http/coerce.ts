import * as v from 'valibot'
import { alternativesOf, typeOf, unwrap } from './schema-node.ts'
import type { SchemaNode } from './schema-node.ts'

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
