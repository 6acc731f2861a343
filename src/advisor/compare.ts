import { change } from '../reports/numbers.ts'
import { rangeBefore } from '../reports/range.ts'
import { dayText } from '../lib/time.ts'
import type { QuestionContext } from './question.ts'

/** The equally long window before, as a query names it. */
export const before = ({ range }: Pick<QuestionContext, 'range'>): { from: string; to: string } => {
  const { from, to } = rangeBefore(range)
  return { from: dayText(from), to: dayText(to) }
}

type Compared<R> = {
  now: R | null
  then: R | null
  current: number
  previous: number
  difference: number
  change: number | null
}

/**
 * Rows of two windows by their key. A list that is longer than what was read of it leaves rows unknown: these are left
 * out, as 0 would be a guess.
 */
export const compared = <R>(
  now: { data: readonly R[]; total: number },
  then: { data: readonly R[]; total: number },
  key: (row: R) => string,
  of: (row: R) => number,
): Compared<R>[] => {
  const [known, earlier] = [
    new Map(now.data.map(row => [key(row), row])),
    new Map(then.data.map(row => [key(row), row])),
  ]
  const whole = [now.total <= now.data.length, then.total <= then.data.length]
  return [...new Set([...known.keys(), ...earlier.keys()])].flatMap(name => {
    const [a, b] = [known.get(name) ?? null, earlier.get(name) ?? null]
    if ((a === null && whole[0] === false) || (b === null && whole[1] === false)) return []
    const [current, previous] = [a === null ? 0 : of(a), b === null ? 0 : of(b)]
    return [{ now: a, then: b, current, previous, difference: current - previous, change: change(current, previous) }]
  })
}
