// Reads the rows of a file, whatever its form: CSV and its relatives, JSON, and declared lists of rows.
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { ExpectedError } from '../../lib/errors.ts'
import { documentsIn, IncompleteListError } from '../documents.ts'
import { bytesOf, maxLine, type OnRead, type Source } from '../source.ts'
import type { InputFile } from './input.ts'
import { cellText, type Header, type Row } from './row.ts'

const headLength = 64 * 1024

const decoderOf = (start: Uint8Array): TextDecoder => {
  const [first, second, third] = start
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true })
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true })
  // UTF-16 without a byte order mark: the second byte of the first letter is 0.
  if (second === 0 && third !== 0) return new TextDecoder('utf-16le', { fatal: true })
  return new TextDecoder('utf-8', { fatal: true })
}

/** The text of a file without its byte order mark. */
async function* textOf(source: Source, onRead: OnRead): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  try {
    for await (const bytes of bytesOf(source, onRead)) {
      decoder ??= decoderOf(bytes)
      yield decoder.decode(bytes, { stream: true })
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    if (error instanceof TypeError) throw new ExpectedError('it is neither UTF-8 nor UTF-16')
    throw error
  }
}

async function* utf8Of(source: Source, onRead: OnRead): AsyncGenerator<Uint8Array> {
  for await (const text of textOf(source, onRead)) yield Buffer.from(text)
}

const headOf = async (source: Source): Promise<string> => {
  let text = ''
  for await (const part of textOf(source, () => {})) {
    text += part
    if (text.length >= headLength) break
  }
  return text
}

/** The first line that is not empty and no preamble, for finding out how cells are separated. */
const firstLine = (head: string): string => /^(?!#)[^\r\n]*\S[^\r\n]*/m.exec(head)?.[0] ?? ''

const separators = [',', ';', '\t', '|']

const delimiterOf = (line: string): string => {
  const bare = line.replace(/"(?:[^"]|"")*"/g, '')
  const counts = separators.map(separator => bare.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/** What `mysql --batch` writes for characters that would end a cell. */
const unescapeBatch = (text: string): string =>
  text.replace(/\\([ntr0\\])/g, (_, letter: string) => ({ n: '\n', t: '\t', r: '\r', 0: '' })[letter] ?? letter)

const columnNames = (cells: readonly string[]): string[] => cells.map(cell => cell.trim().toLowerCase())

type Record = { record: string[]; info: { lines: number } }

const rowOf = (columns: ReadonlyMap<string, number>, values: readonly unknown[], line: number): Row => {
  const raw = (column: string): unknown => values[columns.get(column) ?? -1]
  const isLong = values.slice(columns.size).some(value => value !== '')
  return {
    line,
    columns: [...columns.keys()],
    raw,
    get: column => cellText(raw(column)),
    problem: values.length < columns.size || isLong ? `it has ${values.length} cells, not ${columns.size}` : null,
  }
}

const indexOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, index) => [name, index]))

/** After the header `#` begins a value, unless a line of another shape begins the preamble of a further table. */
const isComment = (record: readonly string[], columns: ReadonlyMap<string, number> | null): boolean =>
  columns === null
    ? record[0]?.startsWith('#') === true
    : /^#(?:[\s-]|$)/.test(record[0] ?? '') && record.length !== columns.size

async function* csvItems({ source }: InputFile, head: string, onRead: OnRead): AsyncGenerator<Header | Row> {
  const line = firstLine(head)
  const delimiter = delimiterOf(line)
  const isBatch = delimiter === '\t' && !head.includes('"')
  const hasPreamble = head.trimStart().startsWith('#')
  const parser = parse({
    delimiter,
    quote: isBatch ? false : '"',
    relax_quotes: hasPreamble,
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: maxLine,
  })
  let columns: ReadonlyMap<string, number> | null = null
  let preamble: string[] = []
  const records: AsyncIterable<Record> = pipeline(Readable.from(textOf(source, onRead)), parser, () => {})
  for await (const { record, info } of records) {
    if (hasPreamble && isComment(record, columns)) {
      if (columns !== null) preamble = []
      columns = null
      preamble.push(record.join(delimiter))
    } else if (columns === null) {
      const names = columnNames(record)
      columns = indexOf(names)
      yield { columns: names, preamble }
    } else yield rowOf(columns, isBatch ? record.map(unescapeBatch) : record, info.lines)
  }
}

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectRow = (value: { [name: string]: unknown }, line: number): Row => {
  const values = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]))
  return {
    line,
    columns: [...values.keys()],
    raw: column => values.get(column),
    get: column => cellText(values.get(column)),
    problem: null,
  }
}

const parseJson = (text: string | null): unknown => {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Objects are rows; `{"table", "columns"}` declares those of the lists that follow. */
async function* jsonItems({ source }: InputFile, head: string, onRead: OnRead): AsyncGenerator<Header | Row> {
  let columns: ReadonlyMap<string, number> | null = null
  for await (const { text, position: line } of documentsIn(head, utf8Of(source, onRead))) {
    const value = parseJson(text)
    const declared = isObject(value) && typeof value.table === 'string' ? value.columns : undefined
    if (Array.isArray(declared)) {
      const names = columnNames(declared.map(String))
      columns = indexOf(names)
      yield { columns: names, preamble: [] }
      continue
    }
    const members: unknown[] = Array.isArray(value) ? value : [value]
    for (const member of members) {
      if (columns === null && isObject(member)) {
        const names = columnNames(Object.keys(member))
        columns = indexOf(names)
        yield { columns: names, preamble: [] }
      }
      if (isObject(member)) yield objectRow(member, line)
      else if (Array.isArray(member) && columns !== null) yield rowOf(columns, member, line)
      else yield { line, columns: [], raw: () => undefined, get: () => '', problem: 'it is not JSON of this format' }
    }
  }
}

const translate = (error: unknown): unknown => {
  if (error instanceof IncompleteListError) return new ExpectedError('the list in it ends too early')
  if (!(error instanceof CsvError)) return error
  const lines: unknown = Reflect.get(error, 'lines')
  return new ExpectedError(`line ${String(lines)} is no CSV: ${error.message.replace(/[:,] .*$/s, '')}`)
}

const startsJson = (head: string): boolean => /^\s*[[{]/.test(head)

/**
 * The headers and rows of a file in order; each header begins a table.
 * @throws ExpectedError with the file's name
 */
export async function* itemsOf(file: InputFile, onRead: OnRead = () => {}): AsyncGenerator<Header | Row> {
  try {
    const head = await headOf(file.source)
    if (startsJson(head)) yield* jsonItems(file, head, onRead)
    else yield* csvItems(file, head, onRead)
  } catch (error) {
    const known = translate(error)
    if (known instanceof ExpectedError) throw new ExpectedError(`${file.name}: ${known.message}. Nothing was imported.`)
    throw known
  }
}

export const isHeader = (item: Header | Row): item is Header => 'preamble' in item

/** The first header of a file; null if it is empty. */
export const headerOf = async (file: InputFile): Promise<Header | null> => {
  for await (const item of itemsOf(file)) if (isHeader(item)) return item
  return null
}
