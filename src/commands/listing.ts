import type { Call } from './command.ts'

/** A row of a list: what --json gives. null is nothing. */
export type Row = Readonly<Record<string, string | null>>

const cell = (value: string | null | undefined): string => value ?? '-'

/** Columns side by side under their names, each as wide as its longest value. */
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
    line(names.map(name => name.toUpperCase().replaceAll('_', ' '))),
    ...rows.map(row => line(names.map(name => cell(row[name])))),
  ]
}

/** '1 view', '2,000 views'. */
export const count = (number: number, one: string): string =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`

export const jsonFlag = { flag: '--json', about: 'Print JSON.' }

/** Prints rows for people, or with --json for programs. */
export const printRows = ({ flags, print, warn }: Call, rows: readonly Row[], ifNone: string): void => {
  if (flags.json === true) return print(JSON.stringify(rows, null, 2))
  const [first] = rows
  if (first === undefined) return warn(ifNone)
  for (const line of columns(rows, Object.keys(first))) print(line)
}
