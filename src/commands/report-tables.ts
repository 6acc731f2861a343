// A report's data as tables: for the terminal and as CSV.
import { csvLine } from '../lib/csv.ts'

export type Plain = Record<string, unknown>
export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is Plain[] => Array.isArray(value) && value.every(isPlain)

/** Nested values as `totals.views`; nested lists are left out. */
export const flat = (value: Plain, prefix = ''): Plain =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) =>
      isPlain(part) ? Object.entries(flat(part, `${prefix}${key}.`)) : isList(part) ? [] : [[`${prefix}${key}`, part]],
    ),
  )

/** The lists of a report: its data if that is a list, else those within it by name. */
export const listsOf = (data: unknown): [string, Plain[]][] =>
  isList(data)
    ? [['', data]]
    : isPlain(data)
      ? Object.entries(data).flatMap(([key, part]): [string, Plain[]][] => (isList(part) ? [[key, part]] : []))
      : []

/** The rows of one table, for programs: the first list, or else one row of figures. */
export const tableOf = (data: unknown): Plain[] => {
  const [first] = listsOf(data)
  return first === undefined ? (isPlain(data) ? [flat(data)] : []) : first[1].map(row => flat(row))
}

/** With a header, the names of the first row; no rows give no lines. */
export const csvLines = (rows: readonly Plain[]): string[] => {
  const [head] = rows
  return head === undefined
    ? []
    : [csvLine(Object.keys(head)), ...rows.map(row => csvLine(Object.keys(head).map(key => row[key])))]
}
