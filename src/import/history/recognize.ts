// Finds out what the files are by the columns of their tables, never by their names.

import { ExpectedError } from '../../lib/errors.ts'
import { historyTitles } from '../../lib/histories.ts'
import { isCommon } from '../access-log/combined.ts'
import { logForms } from '../access-log/detect.ts'
import { beginningOf, type Source } from '../source.ts'
import type { Format, Table } from './format.ts'
import type { InputFile } from './input.ts'
import { headerOf } from './reader.ts'
import type { Header } from './row.ts'

const kinds: readonly (readonly [fits: (line: string) => boolean, text: string])[] = [
  [
    line => isCommon(line) || line.startsWith('#Fields:') || logForms.some(({ fits }) => fits(line)),
    'an access log: use --format access-log',
  ],
  [line => /^\{"footfall_archive"/.test(line), 'an archive of Footfall: use --format archive'],
  [line => /^\{.*"endpoint":\s*"(?:hit|event|engagement)"/.test(line), 'recorded requests: use --format requests'],
  [line => /^\[?\{.*"line_items":/.test(line), 'orders of WooCommerce: use --format woocommerce-orders'],
]

/** What a file is that no history of another program is, and how it is imported; null if that is not known. */
const otherKindOf = (source: Source): string | null => {
  const lines = beginningOf(source)
    .split('\n')
    .filter(line => line.trim() !== '' && !/^#(?!Fields:)/.test(line))
  return kinds.find(([fits]) => fits(lines[0] ?? ''))?.[1] ?? null
}

/** The columns of a header under our names. */
export const namesOf = (format: Format, { columns }: Header): string[] =>
  columns.map(name => format.column?.(name) ?? name)

const fits = ({ key, without = [], only }: Table, names: ReadonlySet<string>): boolean =>
  key.every(name => names.has(name)) &&
  !without.some(name => names.has(name)) &&
  (only === undefined || [...names].every(name => only.includes(name)))

/** The table with the most columns that a header has all of; null for none. */
export const tableOf = (format: Format, header: Header): Table | null => {
  const names = new Set(namesOf(format, header))
  const fitting = format.tables.filter(table => fits(table, names))
  return fitting.sort((a, b) => b.key.length - a.key.length)[0] ?? null
}

export const missingIn = (format: Format, table: Table, header: Header): string[] => {
  const names = new Set(namesOf(format, header))
  return (table.needs ?? []).filter(name => !names.has(name))
}

type Recognized = { file: InputFile; header: Header }

/** The first header of a file; one that cannot be read may be of a kind that is imported in another way. */
const readHeader = async (file: InputFile): Promise<Header | null> => {
  try {
    return await headerOf(file)
  } catch (error) {
    const kind = error instanceof ExpectedError ? otherKindOf(file.source) : null
    throw kind === null ? error : new ExpectedError(`${file.name} is ${kind}. Nothing was imported.`)
  }
}

const readHeaders = async (files: readonly InputFile[]): Promise<Recognized[]> => {
  const found: Recognized[] = []
  for (const file of files) {
    const header = await readHeader(file)
    if (header !== null) found.push({ file, header })
  }
  return found
}

/** Of two formats with the same tables, the one that has its totals. */
const scoreOf = (format: Format, found: readonly Recognized[]): number => {
  const hasTotals = found.some(({ header }) => format.totals.includes(tableOf(format, header)?.name ?? ''))
  return found.reduce(
    (sum, { header }) => {
      const table = tableOf(format, header)
      return sum + (table === null ? 0 : table.key.length + 1 / (1 + missingIn(format, table, header).length))
    },
    hasTotals ? 1 : 0,
  )
}

const maxColumns = 12
const maxFiles = 8

/** Why a table is not in one of these formats; null if nothing is known. */
const reasonOf = (header: Header, formats: readonly Format[]): string | null =>
  formats.map(format => format.explain?.(namesOf(format, header)) ?? null).find(text => text !== null) ?? null

const describe = ({ file, header }: Recognized, formats: readonly Format[]): string => {
  const kind = otherKindOf(file.source)
  if (kind !== null) return `${file.name} is ${kind}`
  const reason = reasonOf(header, formats)
  if (reason !== null) return `${file.name}: ${reason}`
  const { columns } = header
  const shown = columns.slice(0, maxColumns).join(', ').slice(0, 300)
  return `${file.name} has the columns ${shown}${columns.length > maxColumns ? ', …' : ''}`
}

/** Files of which none has a table of a format. */
const noneOf = (files: readonly InputFile[], found: readonly Recognized[], formats: readonly Format[]): string => {
  if (found.length === 0) return `${files.map(({ name }) => name).join(', ') || 'The folder'} is empty.`
  const titles = [...new Set(formats.map(({ name }) => historyTitles[name]))]
  return (
    `This is no export of ${titles.join(', ').replace(/, (?!.*, )/, ' or ')} that can be read.` +
    found
      .slice(0, maxFiles)
      .map(one => `\n  ${describe(one, formats)}`)
      .join('')
  )
}

/**
 * The format of the files, and how they are sorted: tables that others refer to come first.
 * @param wanted the only format that is looked for; null for any
 * @throws ExpectedError if there is none, or a table lacks columns
 */
export const recognize = async (
  files: readonly InputFile[],
  formats: readonly Format[],
): Promise<{ format: Format; files: InputFile[]; ignored: string[]; empty: string[] }> => {
  const found = await readHeaders(files)
  const scored = formats.map(format => ({ format, score: scoreOf(format, found) })).sort((a, b) => b.score - a.score)
  const [best] = scored
  if (best === undefined || best.score === 0)
    throw new ExpectedError(`${noneOf(files, found, formats)}\nNothing was imported.`)
  const { format } = best
  const tables = found.map(one => ({ ...one, table: tableOf(format, one.header) }))
  const incomplete = tables.flatMap(({ file, header, table }) => {
    const missing = table === null ? [] : missingIn(format, table, header)
    return missing.length === 0 ? [] : [`${file.name}: the column ${missing.join(' and the column ')} is missing.`]
  })
  if (incomplete.length > 0)
    throw new ExpectedError(
      [
        ...incomplete.slice(0, maxFiles),
        `Nothing was imported.${format.advice === undefined ? '' : `\n${format.advice}`}`,
      ].join('\n'),
    )
  const orderOf = (table: Table | null): number => (table === null ? 0 : format.tables.indexOf(table))
  return {
    format,
    files: tables
      .filter(({ table }) => table !== null)
      .sort((a, b) => orderOf(a.table) - orderOf(b.table))
      .map(({ file }) => file),
    ignored: tables.flatMap(({ file, header, table }) => {
      const reason = reasonOf(header, [format])
      return table === null ? [reason === null ? file.name : `${file.name} (${reason})`] : []
    }),
    empty: files.filter(file => !found.some(one => one.file === file)).map(({ name }) => name),
  }
}
