import { UsageError } from '../config/config.ts'
import { ApiError } from '../http/errors.ts'
import { dateOf, type Zone } from '../lib/time.ts'
import { type Range, readRange } from '../reports/range.ts'
import type { Call } from './command.ts'

/** @throws UsageError if --from or --to is not a date */
export const checkDays = ({ flags: { from, to } }: Pick<Call, 'flags'>): void => {
  for (const day of [from, to])
    if (typeof day === 'string' && dateOf(day) === null)
      throw new UsageError(`${day} is not a date; write it as 2026-03-31.`)
}

/**
 * Reads the range of --from and --to; by default the last 30 days, ending today.
 * @throws UsageError
 */
export const readDays = (call: Pick<Call, 'flags'>, zone: Zone, now: number): Range => {
  checkDays(call)
  const [from, to] = [call.flags.from, call.flags.to].map(day => (typeof day === 'string' ? day : undefined))
  try {
    return readRange({ from, to }, zone, now)
  } catch (error) {
    if (error instanceof ApiError)
      throw new UsageError('--from must not be after --to, and the range must not span more than 3,660 days.')
    throw error
  }
}
