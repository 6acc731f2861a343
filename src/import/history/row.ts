import { addDays, type Day, dateOf, type Zone } from '../../lib/time.ts'

/** Why a row is not imported; the others are. */
export class RowProblem extends Error {
  override name = 'RowProblem'
}

/** A table's first row, with what comes before it. */
export type Header = { columns: readonly string[]; preamble: readonly string[] }

/** A row of a table, by the names of its columns in lower case. A cell that is absent or null is ''. */
export type Row = {
  line: number
  columns: readonly string[]
  get: (column: string) => string
  /** The value in JSON, which may be a list or an object; the text of a cell elsewhere. */
  raw: (column: string) => unknown
  /** Why the row cannot be read at all. */
  problem: string | null
}

const nothing = new Set(['NULL', 'null', '\\N'])

/** The text of a value; '' for what databases write for null. */
export const cellText = (value: unknown): string => {
  if (typeof value === 'string') return nothing.has(value) ? '' : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

const shown = (text: string): string => (text.length <= 40 ? text : `${text.slice(0, 40)}…`)

const maxCount = 1e12

/** A whole number; separators of thousands are those of the language that the file was written in. */
export const countOf = (row: Row, column: string): number => {
  const text = row.get(column).trim()
  const plain = /^\d{1,3}(?:[.,\u00a0\u202f' ]\d{3})+$/.test(text) ? text.replace(/\D/g, '') : text
  if (!/^\d+$/.test(plain) || Number(plain) > maxCount)
    throw new RowProblem(`${column} is not a whole number from 0 to 10^12: '${shown(text)}'`)
  return Number(plain)
}

/** The same, undefined where the source says nothing. */
export const countIn = (row: Row, column: string): number | undefined =>
  row.get(column) === '' ? undefined : countOf(row, column)

/** The first of these columns that says something. */
export const firstCount = (row: Row, ...columns: string[]): number | undefined =>
  columns.map(column => countIn(row, column)).find(count => count !== undefined)

/** A number with decimals, such as a rate or a mean; `43%` is 0.43. */
export const decimalIn = (row: Row, column: string): number | undefined => {
  const text = row.get(column).trim()
  if (text === '') return undefined
  const number = Number(text.replace('%', '').replace(',', '.').trim())
  if (!(number >= 0 && number <= maxCount)) throw new RowProblem(`${column} is not a number: '${shown(text)}'`)
  return text.endsWith('%') ? number / 100 : number
}

/** A number of seconds or the like; undefined for anything else, as sources leave such cells out. */
export const numberOr = (text: string): number | undefined => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined)

export const isTrue = (text: string): boolean => text === '1' || text.toLowerCase() === 'true'

export const firstDay = 20000101

/** A day as 2026-03-01 or 20260301. */
export const dayIn = (row: Row, column: string): Day => {
  const text = row.get(column).trim()
  const day = dateOf(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3').slice(0, 10))
  if (day === null || (text.length > 10 && !/^\S{10}[ T]/.test(text)))
    throw new RowProblem(`${column} is not a date: '${shown(text)}'`)
  return day
}

const timePattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/

/** A time as databases and JSON write it, in whole seconds. One without an offset is the time in a zone. */
export const secondIn = (row: Row, column: string, zone: Zone): number => {
  const text = row.get(column).trim()
  if (/^\d{9,11}(?:\.\d+)?$/.test(text)) return Math.floor(Number(text))
  const [, date = '', hours = '', minutes = '', seconds = '00', offset] = timePattern.exec(text) ?? []
  const day = dateOf(date)
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (day === null || hour > 23 || minute > 59 || second > 59)
    throw new RowProblem(`${column} is not a time: '${shown(text)}'`)
  if (offset === undefined && zone.name !== 'UTC') return zone.secondAt(day, hour * 3600 + minute * 60 + second)
  const digits = (offset ?? '').replace(/\D/g, '').padEnd(4, '0')
  const east =
    (Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60) * (offset?.startsWith('-') === true ? -1 : 1)
  return Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`) / 1000 - (Number.isNaN(east) ? 0 : east)
}

/** A day that histories may have: the contract refuses those before 2000 and after tomorrow. */
export const checkDay = (day: Day, today: Day): Day => {
  if (day < firstDay || day > addDays(today, 1)) throw new RowProblem('its date is before 2000 or after tomorrow')
  return day
}

/** The UTM parameters, in columns that several programs name alike. */
export const utmIn = (row: Row) => ({
  source: row.get('utm_source'),
  medium: row.get('utm_medium'),
  campaign: row.get('utm_campaign'),
  term: row.get('utm_term'),
  content: row.get('utm_content'),
})
