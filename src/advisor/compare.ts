import { dayText } from '../lib/time.ts'
import { change } from '../reports/numbers.ts'
import { rangeBefore } from '../reports/range.ts'
import type { QuestionContext } from './question.ts'
import { largestFirst } from './shapes.ts'

/** The window of equal length before the range, as query parameters. */
export const before = ({ range }: Pick<QuestionContext, 'range'>): { from: string; to: string } => {
  const { from, to } = rangeBefore(range)
  return { from: dayText(from), to: dayText(to) }
}

type List<R> = { data: readonly R[]; total: number }

/** A row of either window (the current one if it is in both), and its figure in each. */
type Compared<R> = { row: R; current: number; previous: number; difference: number; change: number | null }

/**
 * Joins the rows of two windows by key. A row missing from a truncated list is left out: it may be further down, so 0
 * would be a guess.
 */
export const compared = <R>(
  now: List<R>,
  then: List<R>,
  key: (row: R) => string,
  of: (row: R) => number,
): Compared<R>[] => {
  const current = new Map(now.data.map(row => [key(row), row]))
  const previous = new Map(then.data.map(row => [key(row), row]))
  const [isWhole, wasWhole] = [now, then].map(({ data, total }) => total <= data.length)
  return [...new Set([...current.keys(), ...previous.keys()])].flatMap(name => {
    const [a, b] = [current.get(name), previous.get(name)]
    const row = a ?? b
    if (row === undefined || (a === undefined && !isWhole) || (b === undefined && !wasWhole)) return []
    const [x, y] = [a === undefined ? 0 : of(a), b === undefined ? 0 : of(b)]
    return [{ row, current: x, previous: y, difference: x - y, change: change(x, y) }]
  })
}

/** The rows whose figure fell, the largest fall first. */
export const losers = <R>(
  now: List<R>,
  then: List<R>,
  key: (row: R) => string,
  of: (row: R) => number,
): Compared<R>[] =>
  largestFirst(
    compared(now, then, key, of).filter(({ difference }) => difference < 0),
    ({ difference }) => -difference,
  )
