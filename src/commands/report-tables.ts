// Converts the data of a report to tables, for the terminal and for CSV.

import { alternativesOf, isOptional, type SchemaNode, unwrap } from '../http/schemas.ts'
import { csvLine } from '../lib/csv.ts'

export type Plain = Record<string, unknown>
export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is Plain[] => Array.isArray(value) && value.every(isPlain)
const isNested = (value: unknown): value is Plain[][] => Array.isArray(value) && value.every(isList)

/** Flattens nested objects to keys such as `totals.views`; omits nested lists. */
export const flat = (value: Plain, prefix = ''): Plain =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) =>
      isPlain(part)
        ? Object.entries(flat(part, `${prefix}${key}.`))
        : isList(part) || isNested(part)
          ? []
          : [[`${prefix}${key}`, part]],
    ),
  )

/** A list of lists, such as the steps of paths, as one list with the number of each. */
const numbered = (lists: readonly Plain[][]): Plain[] =>
  lists.flatMap((rows, index) => rows.map(row => ({ step: index + 1, ...row })))

/** The lists of a report with their names: the data itself if it is a list (without a name), else its properties. */
export const listsOf = (data: unknown): [string, Plain[]][] =>
  isList(data)
    ? [['', data]]
    : isPlain(data)
      ? Object.entries(data).flatMap(([key, part]): [string, Plain[]][] =>
          isList(part) ? [[key, part]] : isNested(part) ? [[key, numbered(part)]] : [],
        )
      : []

/** The rows of the main table: the first list, else a single row of figures. */
export const tableOf = (data: unknown): Plain[] => {
  const [first] = listsOf(data)
  return first === undefined ? (isPlain(data) ? [flat(data)] : []) : first[1].map(row => flat(row))
}

/**
 * A value with everything that a schema requires, as null; lists have one element. Of alternatives it is the last, the
 * plainer one.
 * @param columns of the main table that depend on parameters
 */
export const sampleOf = (node: SchemaNode, columns: readonly string[] = []): unknown => {
  const schema = unwrap(node)
  const plainest = alternativesOf(schema).at(-1)
  if (plainest !== undefined) return sampleOf(plainest, columns)
  if (schema.item !== undefined) return [sampleOf(schema.item, columns)]
  if (schema.entries === undefined) return null
  return Object.fromEntries([
    ...columns.map(name => [name, null]),
    ...Object.entries(schema.entries).flatMap(([name, part]) => (isOptional(part) ? [] : [[name, sampleOf(part)]])),
  ])
}

/** CSV of the main table. Without rows its header is that of the sample. */
export const csvLines = (rows: readonly Plain[], sample: unknown): string[] => {
  const columns = Object.keys(rows[0] ?? tableOf(sample)[0] ?? {})
  return columns.length === 0 ? [] : [csvLine(columns), ...rows.map(row => csvLine(columns.map(key => row[key])))]
}
