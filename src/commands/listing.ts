import { dropControls } from '../lib/controls.ts'
import type { Call } from './command.ts'

/** A row of a list, as printed with --json. */
export type Row = Readonly<Record<string, string | null>>

const cell = (value: string | null | undefined): string => dropControls(value ?? '-')

/** A table as lines of text: a header, then one line per row. */
export const columns = (rows: readonly Row[], names: readonly string[]): string[] => {
  const isNumber = names.map(name => rows.every(row => /^(-?[\d.]+)?$/.test(row[name] ?? '')))
  const widths = names.map(name => Math.max(name.length, ...rows.map(row => cell(row[name]).length)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, index) =>
        isNumber[index] === true ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [
    line(names.map(name => cell(name).toUpperCase().replaceAll('_', ' '))),
    ...rows.map(row => line(names.map(name => cell(row[name])))),
  ]
}

/** '1 view', '2,000 views'. */
export const count = (number: number, singular: string): string =>
  `${number.toLocaleString('en')} ${singular}${number === 1 ? '' : 's'}`

export const jsonFlag = { flag: '--json', about: 'Print JSON.' }

/** Prints rows as a table, or as JSON with --json. */
export const printRows = ({ flags, print, warn }: Call, rows: readonly Row[], emptyMessage: string): void => {
  if (flags.json === true) return print(JSON.stringify(rows, null, 2))
  const [first] = rows
  if (first === undefined) return warn(emptyMessage)
  for (const line of columns(rows, Object.keys(first))) print(line)
}

/** The end of a link alone on the last line: the command does not know the public address of the dashboard. */
export const printFragment = ({ print, warn }: Call, fragment: string): void => {
  warn("Append this to the dashboard's address, such as https://example.org/stats/:")
  print(fragment)
}
