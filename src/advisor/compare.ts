import { ApiError } from '../http/errors.ts'
import { change } from '../reports/numbers.ts'
import { sameCounts, type Trend } from './chance.ts'
import { largestFirst } from './shapes.ts'

/** Whether a report refused the range to compare with. */
export const refusesComparison = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && Object.hasOwn(Object(error.data.params), 'compare')

/**
 * Reads with the comparison of the batch. With filters, the single visits of the other range may be gone: then without,
 * because the figure itself is still known.
 */
export const withComparison = <Result>(
  { compare }: { compare: string },
  read: (query: { compare?: string }) => Promise<Result>,
): Promise<Result> =>
  read({ compare }).catch((error: unknown) => {
    if (refusesComparison(error)) return read({})
    throw error
  })

/** All rows of a list, and those of the range compared with. */
type Lists<R> = { data: readonly R[]; earlier: readonly R[] | null }

/** A row of either range (of the current one if it is in both), and its figure in each. */
type Compared<R> = Trend & { row: R; current: number; previous: number; difference: number; change: number | null }

/**
 * Joins the rows of a list with those of the range compared with. A row that one of them lacks counts 0 there.
 */
export const compared = <R>(now: Lists<R>, key: (row: R) => string, of: (row: R) => number): Compared<R>[] => {
  const current = new Map(now.data.map(row => [key(row), row]))
  const previous = new Map((now.earlier ?? []).map(row => [key(row), row]))
  const gone = [...previous].filter(([name]) => !current.has(name))
  return [...current, ...gone].map(([name, row]) => {
    const [a, b] = [current.get(name), previous.get(name)]
    const [x, y] = [a === undefined ? 0 : of(a), b === undefined ? 0 : of(b)]
    return { row, current: x, previous: y, difference: x - y, change: change(x, y), chance: sameCounts(x, y) }
  })
}

/** Rows in their order, those that chance explains last. */
export const chanceLast = <R extends { chance: boolean }>(rows: readonly R[]): R[] => [
  ...rows.filter(({ chance }) => !chance),
  ...rows.filter(({ chance }) => chance),
]

/** Rows in order of their difference, those that chance explains last. */
export const byDifference = <R>(rows: readonly Compared<R>[]): Compared<R>[] =>
  chanceLast(
    largestFirst(
      rows.filter(({ difference }) => difference !== 0),
      ({ difference }) => Math.abs(difference),
    ),
  )

/** The rows whose figure fell, the largest fall first. */
export const losers = <R>(now: Lists<R>, key: (row: R) => string, of: (row: R) => number): Compared<R>[] =>
  byDifference(compared(now, key, of).filter(({ difference }) => difference < 0))
