import { UsageError } from '../config/errors.ts'
import { ApiError } from '../http/errors.ts'
import { readRange, type Range } from '../reports/range.ts'
import { dateOf, type Zone } from '../lib/time.ts'
import type { Call } from './command.ts'

/** @throws UsageError naming the flag's value that is no day */
export const checkDays = ({ flags: { from, to } }: Pick<Call, 'flags'>): void => {
  for (const day of [from, to])
    if (typeof day === 'string' && dateOf(day) === null)
      throw new UsageError(`${day} is not a day; write it as 2026-03-31.`)
}

/**
 * The days that --from and --to name; without them the last 30 days, ending today.
 * @throws UsageError
 */
export const readDays = (call: Pick<Call, 'flags'>, zone: Zone, second: number): Range => {
  checkDays(call)
  const [from, to] = [call.flags.from, call.flags.to].map(day => (typeof day === 'string' ? day : undefined))
  try {
    return readRange({ from, to }, zone, second)
  } catch (error) {
    if (error instanceof ApiError)
      throw new UsageError('--from must not be after --to, and the range must not span more than 3,660 days.')
    throw error
  }
}
