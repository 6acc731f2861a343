// Rows of a list with their figure in another range.
import * as v from 'valibot'
import { ratioSchema } from '../http/schemas.ts'
import type { Comparison, Part } from './compare.ts'
import type { Unmatched } from './filters/nearest-values.ts'
import { change } from './numbers.ts'

/** Fields that a row has in a comparison. */
export const comparedFields = {
  previous: v.optional(
    v.pipe(v.number(), v.description('With `compare`: the figure that the list is sorted by, in the other range.')),
  ),
  change: v.optional(v.pipe(ratioSchema, v.description('With `compare`: the relative change of that figure.'))),
}

/**
 * How the rows of a list are compared: what identifies a row, and the figure that the list is sorted by. These are
 * methods, so that lists of all types fit.
 */
export type RowComparison<Row, Query> = {
  key(row: Row): string
  figure(row: Row, query: Query): number
}

type Rows<Row> = {
  data: Row[]
  total?: number
  meta?: Record<string, unknown>
  unmatched?: readonly Unmatched[]
}
type Page = { limit: number; offset: number }

/** More rows than any list has. */
const allRows: Page = { limit: 1_000_000_000, offset: 0 }

/** Amounts and units have at most 6 decimals; sums of fractions would have more. */
const decimals = 1e6
const addExactly = (one: number, other: number): number =>
  (Math.round(one * decimals) + Math.round(other * decimals)) / decimals

/** Figures of which a range has the sum of its days. */
const counts = ['visitors', 'sessions', 'views', 'bounces'] as const

const field = (row: object, name: string): unknown => Reflect.get(row, name)

/** A row of two consecutive parts: counts add up, and days follow each other. */
const joined = <Row extends object>(one: Row, other: Row): Row => {
  const sums = counts.flatMap(name => {
    const [first, second] = [field(one, name), field(other, name)]
    return typeof first === 'number' && typeof second === 'number' ? [[name, first + second] as const] : []
  })
  const [days, more] = [field(one, 'series'), field(other, 'series')]
  return {
    ...other,
    ...Object.fromEntries(sums),
    ...(Array.isArray(days) && Array.isArray(more) && { series: [...days, ...more] }),
  }
}

/**
 * Runs a list over its range and over the parts of another one, and joins their rows.
 * @param run lists the rows of a part, or of the range of the report (null)
 * @returns the requested page; `previous_unlisted` in meta; and as `earlier` every row of the other range
 */
export const compareRows = async <Row extends object, Query extends Partial<Page>>(
  query: Query,
  { parts }: Comparison,
  rule: RowComparison<Row, Query>,
  run: (part: Part | null, query: Query & Page) => Promise<Rows<Row>>,
): Promise<Rows<Row> & { earlier: Row[] }> => {
  const key = (row: Row): string => rule.key(row)
  const figure = (row: Row): number => rule.figure(row, query)
  const everything = { ...query, ...allRows }
  const [current, ...earlier] = await Promise.all([run(null, everything), ...parts.map(part => run(part, everything))])
  const before = new Map<string, { row: Row; previous: number }>()
  for (const row of earlier.flatMap(({ data }) => data)) {
    const known = before.get(key(row))
    before.set(key(row), {
      row: known === undefined ? row : joined(known.row, row),
      previous: addExactly(known?.previous ?? 0, figure(row)),
    })
  }
  const withPrevious = (row: Row): Row => {
    const previous = before.get(key(row))?.previous ?? 0
    return { ...row, previous, change: change(figure(row), previous) }
  }
  const { limit = allRows.limit, offset = 0 } = query
  const listed = new Set(current.data.map(key))
  const gone = [...before].filter(([name]) => !listed.has(name)).map(([, found]) => found)
  return {
    ...current,
    data: current.data.slice(offset, offset + limit).map(withPrevious),
    meta: { ...current.meta, previous_unlisted: gone.reduce((sum, found) => addExactly(sum, found.previous), 0) },
    earlier: [...before.values()].map(({ row, previous }) => ({ ...row, previous })),
  }
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The data of a comparison with days that are not known as a whole: with null for every `change`. */
export const withoutChange = <Data>(data: Data, within = false): Data => {
  if (Array.isArray(data)) return data.map(value => withoutChange(value, within)) as Data
  if (!isRecord(data)) return within ? (null as Data) : data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, withoutChange(value, within || name === 'change')]),
  ) as Data
}
