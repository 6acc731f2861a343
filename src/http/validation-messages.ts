import type * as v from 'valibot'
import { numberFormat } from '../lib/formats.ts'
import type { Detail } from './errors.ts'
import { actionsOf, isCalendarDay, type SchemaNode, typeOf } from './schemas.ts'

type Issue = v.BaseIssue<unknown>

const plain = (code: string, message: string): Detail => ({ code, message, data: null })

const wrongType = (name: string, type: string): Detail => ({
  code: 'rest_invalid_type',
  message: `${name} is not of type ${type}.`,
  data: { param: name },
})

/** `a`, `a and b`, `a, b, and c`. */
const list = (values: readonly unknown[]): string => {
  const texts = values.map(String)
  if (texts.length < 3) return texts.join(' and ')
  return `${texts.slice(0, -1).join(', ')}, and ${texts.at(-1)}`
}

const bound = (node: SchemaNode, type: string): unknown =>
  actionsOf(node).find(action => action.type === type)?.requirement

const outOfBounds = (name: string, node: SchemaNode): Detail => {
  const [low, high] = [bound(node, 'min_value'), bound(node, 'max_value')]
  const range =
    low === undefined
      ? `less than or equal to ${high}`
      : high === undefined
        ? `greater than or equal to ${low}`
        : `between ${low} (inclusive) and ${high} (inclusive)`
  return plain('rest_out_of_bounds', `${name} must be ${range}`)
}

const wrongSize = (name: string, issue: Issue, least: boolean, size: number): Detail => {
  const [side, number] = [least ? 'at least' : 'at most', numberFormat('en-US', {}).format(size)]
  return Array.isArray(issue.input)
    ? plain(
        `rest_too_${least ? 'few' : 'many'}_items`,
        `${name} must contain ${side} ${number} ${size === 1 ? 'item' : 'items'}.`,
      )
    : plain(
        `rest_too_${least ? 'short' : 'long'}`,
        `${name} must be ${side} ${number} ${size === 1 ? 'character' : 'characters'} long.`,
      )
}

const notInEnum = (name: string, node: SchemaNode): Detail => {
  const values = node.options ?? [node.literal]
  return plain(
    'rest_not_in_enum',
    values.length === 1 ? `${name} is not ${values[0]}.` : `${name} is not one of ${list(values)}.`,
  )
}

/** The checks of a pipe, in the order in which the platform runs them. */
const checks: Readonly<Record<string, (name: string, issue: Issue, node: SchemaNode) => Detail>> = {
  multiple_of: (name, issue) => plain('rest_invalid_multiple', `${name} must be a multiple of ${issue.requirement}.`),
  min_value: (name, _, node) => outOfBounds(name, node),
  max_value: (name, _, node) => outOfBounds(name, node),
  integer: name => wrongType(name, 'integer'),
  safe_integer: name => wrongType(name, 'integer'),
  non_empty: (name, issue) => wrongSize(name, issue, true, 1),
  min_length: (name, issue) => wrongSize(name, issue, true, Number(issue.requirement)),
  max_length: (name, issue) => wrongSize(name, issue, false, Number(issue.requirement)),
  regex: (name, issue) =>
    plain(
      'rest_invalid_pattern',
      `${name} does not match pattern ${issue.requirement instanceof RegExp ? issue.requirement.source : ''}.`,
    ),
  iso_timestamp: () => plain('rest_invalid_date', 'Invalid date.'),
  email: () => plain('rest_invalid_email', 'Invalid email address.'),
  uuid: name => plain('rest_invalid_uuid', `${name} is not a valid UUID.`),
  check: (_, issue) =>
    plain(issue.requirement === isCalendarDay ? 'rest_invalid_date' : 'rest_invalid_param', issue.message),
}

const order = Object.keys(checks)

/** The position of an issue among those of one value; a wrong type comes first. */
export const rank = (issue: Issue): number => (issue.kind === 'schema' ? -1 : order.indexOf(issue.type))

/** An undeclared key where additional properties are forbidden. */
export const notDeclared = (key: string): Detail =>
  plain('rest_additional_properties_forbidden', `${key} is not a valid property of Object.`)

const aboutMember = (issue: Issue, name: string, key: unknown, parent: string): Detail =>
  issue.kind === 'validation'
    ? plain('rest_invalid_param', issue.message)
    : issue.expected === 'never'
      ? notDeclared(String(key))
      : plain('rest_property_required', `${key} is a required property of ${parent === '' ? name : parent}.`)

/** How the members of a record are written, if its schema says so. */
const writtenAs = (node: SchemaNode): string | null => {
  const { message } =
    (node.key === undefined ? undefined : actionsOf(node.key).find(({ type }) => type === 'regex')) ?? {}
  return typeof message === 'string' ? message : null
}

/** Why a value is invalid, in the platform's words. `name` is its path, as `ids[1]`; `parent` its container's. */
export const explain = (issue: Issue, name: string, parent: string, node: SchemaNode | undefined): Detail => {
  const last = issue.path?.at(-1)
  if (last?.origin === 'key') return aboutMember(issue, name, last.key, parent)
  const describe = issue.kind === 'schema' ? undefined : checks[issue.type]
  if (node !== undefined && describe !== undefined) return describe(name, issue, node)
  if (node === undefined || issue.kind !== 'schema') return plain('rest_invalid_param', 'Invalid parameter.')
  const written = writtenAs(node)
  if (written !== null) return plain('rest_invalid_param', written)
  const type = typeOf(node)
  if (type === null) return plain('rest_no_matching_schema', `${name} does not match any of the expected formats.`)
  return (node.type === 'picklist' || node.type === 'literal') && typeof issue.input === type
    ? notInEnum(name, node)
    : wrongType(name, type)
}
